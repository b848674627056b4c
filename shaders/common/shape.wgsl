#import "common/rotation"
// Signed distance and outward normal of the solid shapes. The including kernel declares `shapes: array<vec4u>`:
// four header rows a shape, then the data of grids, meshes, hulls, heightfields and compounds (solver::colliders packs them).

const SHAPE_PLANE: u32 = 0u;
const SHAPE_CUBOID: u32 = 1u;
const SHAPE_SPHERE: u32 = 2u;
const SHAPE_CAPSULE: u32 = 3u;
const SHAPE_GRID: u32 = 4u;
const SHAPE_MESH: u32 = 5u;
const SHAPE_CYLINDER: u32 = 6u;
const SHAPE_HULL: u32 = 7u;
const SHAPE_HEIGHTFIELD: u32 = 8u;
const SHAPE_COMPOUND: u32 = 9u;

// The shapes that the scene has, a bit for each: a kernel leaves out the others.
override SHAPES: u32 = 0xffffffffu;

// Whether a shape is of this kind.
fn is_of(shape: u32, kind: u32) -> bool {
    return (SHAPES & (1u << kind)) != 0u && shapes[4u * shape].x == kind;
}

// Normal in xyz, signed distance in w, at p in the shape's frame. A mesh answers "far": its triangles are contacts. What is farther
// from a heightfield than anything feels it is answered a lower bound.
fn shape_at(shape: u32, p: vec3f) -> vec4f {
    if is_of(shape, SHAPE_HEIGHTFIELD) {
        return heightfield_at(shape, p);
    }
    return pieces_at(shape, p);
}

// The nearest of the pieces of a compound, two rows each: place and shape, and rotation. All else is its own only piece: drivers copy
// a function to wherever it is called, and compile long for what is there twice.
fn pieces_at(shape: u32, p: vec3f) -> vec4f {
    let compound = is_of(shape, SHAPE_COMPOUND);
    let first = shapes[4u * shape].y;
    var count = 1u;
    if compound {
        count = u32(bitcast<f32>(shapes[4u * shape + 1u].x));
    }
    var nearest = vec4f(0.0, 1.0, 0.0, 1e9);
    for (var k = 0u; k < count; k++) {
        var piece = shape;
        var local = p;
        var rotation = vec4f(0.0, 0.0, 0.0, 1.0);
        if compound {
            let place = shapes[first + 2u * k];
            rotation = bitcast<vec4f>(shapes[first + 2u * k + 1u]);
            piece = place.w;
            local = rotate_back(rotation, p - bitcast<vec3f>(place.xyz));
        }
        let at = solid_at(piece, local);
        if at.w < nearest.w {
            nearest = at;
            if compound {
                nearest = vec4f(rotate(rotation, at.xyz), at.w);
            }
        }
    }
    return nearest;
}

fn solid_at(shape: u32, p: vec3f) -> vec4f {
    let extent = bitcast<vec4f>(shapes[4u * shape + 1u]);
    if is_of(shape, SHAPE_PLANE) {
        return vec4f(0.0, 1.0, 0.0, p.y);
    }
    if is_of(shape, SHAPE_CUBOID) {
        return cuboid_at(extent.xyz, p);
    }
    if is_of(shape, SHAPE_SPHERE) {
        return ball_at(p, extent.x);
    }
    if is_of(shape, SHAPE_CAPSULE) {
        return ball_at(p - vec3f(0.0, clamp(p.y, -extent.y, extent.y), 0.0), extent.x);
    }
    if is_of(shape, SHAPE_CYLINDER) {
        return cylinder_at(extent.xy, p);
    }
    if is_of(shape, SHAPE_HULL) {
        return hull_at(shapes[4u * shape].y, u32(extent.x), p);
    }
    if is_of(shape, SHAPE_GRID) {
        return grid_at(shape, shapes[4u * shape].y, p);
    }
    return vec4f(0.0, 1.0, 0.0, 1e9);
}

// A lower bound of the distance, also for meshes: to the box of their lattice.
fn shape_bound(shape: u32, p: vec3f) -> f32 {
    if is_of(shape, SHAPE_HEIGHTFIELD) {
        let field = bitcast<vec4f>(shapes[4u * shape + 1u]);
        let place = place_over(shape, p);
        return max(place.gap, field.y * place.above);
    }
    if !is_of(shape, SHAPE_MESH) {
        return pieces_at(shape, p).w;
    }
    let frame = bitcast<vec4f>(shapes[4u * shape + 2u]);
    let size = vec3f(shapes[4u * shape + 3u].xyz) * frame.w;
    return length(p - clamp(p, frame.xyz, frame.xyz + size));
}

// The box around a shape that queries meet as triangles: its least corner and its sides [m], in its frame.
fn shape_low(shape: u32) -> vec3f {
    return bitcast<vec3f>(shapes[4u * shape + 2u].xyz);
}

fn shape_sides(shape: u32) -> vec3f {
    let spacing = bitcast<f32>(shapes[4u * shape + 2u].w);
    let sides = shapes[4u * shape + 3u].xyz;
    // Grids and meshes tell the cells of their lattice.
    return select(bitcast<vec3f>(sides), spacing * vec3f(sides), spacing > 0.0);
}

fn ball_at(p: vec3f, radius: f32) -> vec4f {
    let length = length(p);
    return vec4f(select(vec3f(0.0, 1.0, 0.0), p / length, length > 1e-12), length - radius);
}

fn cuboid_at(half: vec3f, p: vec3f) -> vec4f {
    let d = abs(p) - half;
    let side = select(vec3f(-1.0), vec3f(1.0), p >= vec3f(0.0));
    let outside = max(d, vec3f(0.0));
    let length = length(outside);
    if length > 0.0 {
        return vec4f(side * outside / length, length);
    }
    let deepest = max(d.x, max(d.y, d.z));
    if d.x == deepest {
        return vec4f(side.x, 0.0, 0.0, deepest);
    }
    if d.y == deepest {
        return vec4f(0.0, side.y, 0.0, deepest);
    }
    return vec4f(0.0, 0.0, side.z, deepest);
}

// `size`: radius and half height.
fn cylinder_at(size: vec2f, p: vec3f) -> vec4f {
    let across = length(p.xz);
    let d = vec2f(across, abs(p.y)) - size;
    let outside = max(d, vec2f(0.0));
    let length = length(outside);
    // Outward and along the axis.
    var lean = select(vec2f(0.0, 1.0), vec2f(1.0, 0.0), d.x > d.y);
    if length > 0.0 {
        lean = outside / length;
    }
    let out = select(vec2f(1.0, 0.0), p.xz / across, across > 1e-12);
    let up = select(-lean.y, lean.y, p.y >= 0.0);
    return vec4f(lean.x * out.x, up, lean.x * out.y, select(max(d.x, d.y), length, length > 0.0));
}

// Inside the nearest plane; outside the nearest point of the faces that look at p. Four rows a face: its plane and its corners.
fn hull_at(first: u32, count: u32, p: vec3f) -> vec4f {
    var highest = vec4f(0.0, 1.0, 0.0, -1e9);
    var nearest = vec4f(0.0, 1.0, 0.0, 1e9);
    for (var row = first; row < first + 4u * count; row += 4u) {
        let plane = bitcast<vec4f>(shapes[row]);
        let height = dot(plane.xyz, p) - plane.w;
        if height > highest.w {
            highest = vec4f(plane.xyz, height);
        }
        if height > 0.0 && height < nearest.w {
            let a = bitcast<vec3f>(shapes[row + 1u].xyz);
            let b = bitcast<vec3f>(shapes[row + 2u].xyz);
            let c = bitcast<vec3f>(shapes[row + 3u].xyz);
            let away = p - closest_on_triangle(p, a, b, c);
            let length = length(away);
            if length < nearest.w {
                nearest = vec4f(select(plane.xyz, away / length, length > 1e-9), length);
            }
        }
    }
    if highest.w > 0.0 {
        return nearest;
    }
    return highest;
}

// Ericson, Real-Time Collision Detection, 5.1.5.
fn closest_on_triangle(p: vec3f, a: vec3f, b: vec3f, c: vec3f) -> vec3f {
    let ab = b - a;
    let ac = c - a;
    let d1 = dot(ab, p - a);
    let d2 = dot(ac, p - a);
    let d3 = dot(ab, p - b);
    let d4 = dot(ac, p - b);
    let d5 = dot(ab, p - c);
    let d6 = dot(ac, p - c);
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    // An edge without a length is passed over: the others have its points.
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3 {
        return a + ab * (d1 / (d1 - d3));
    }
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    return a + (ab * vb + ac * vc) / (va + vb + vc);
}

// A point over a heightfield.
struct PlaceOver {
    on: vec2f,                 // in cells, not beyond the border
    above: f32,                // over the surface there [m]
    gap: f32,                  // how far beyond the border [m]
}

// A row a cell: its heights, x fastest.
fn height_row(shape: u32, cell: vec2u, cells: vec2u) -> vec4f {
    return bitcast<vec4f>(shapes[shapes[4u * shape].y + cell.y * cells.x + cell.x]);
}

fn heightfield_cells(shape: u32) -> vec2u {
    return vec2u(round(shape_sides(shape).xz / bitcast<f32>(shapes[4u * shape + 1u].x)));
}

fn place_over(shape: u32, p: vec3f) -> PlaceOver {
    let spacing = bitcast<f32>(shapes[4u * shape + 1u].x);
    let cells = heightfield_cells(shape);
    let wanted = p.xz / spacing + 0.5 * vec2f(cells);
    let on = clamp(wanted, vec2f(0.0), vec2f(cells));
    let cell = min(vec2u(on), cells - 1u);
    let f = on - vec2f(cell);
    let h = height_row(shape, cell, cells);
    let near = h.x + (h.y - h.x) * f.x + (h.z - h.x) * f.y;
    let far = h.w + (h.z - h.w) * (1.0 - f.x) + (h.y - h.w) * (1.0 - f.y);
    return PlaceOver(on, p.y - select(far, near, f.x + f.y <= 1.0), spacing * length(wanted - on));
}

// Solid below its triangles and between its borders.
fn heightfield_at(shape: u32, p: vec3f) -> vec4f {
    let field = bitcast<vec4f>(shapes[4u * shape + 1u]); // spacing, least part of a height, reach [m]
    let place = place_over(shape, p);
    let half = 0.5 * vec2f(heightfield_cells(shape));
    let out = p.xz / field.x + half - place.on;
    if place.gap > 0.0 && place.above <= 0.0 {
        return vec4f(out.x, 0.0, out.y, place.gap * length(out)) / length(out);
    }
    let bound = max(place.gap, field.y * abs(place.above));
    if bound > field.z {
        return vec4f(0.0, 1.0, 0.0, select(bound, place.above, place.above < 0.0));
    }
    let nearest = nearest_of_cells(shape, p, place);
    if place.gap == 0.0 && place.above < 0.0 {
        let border = (half - abs(place.on - half)) * field.x;
        let side = select(vec2f(-1.0), vec2f(1.0), place.on >= half);
        if min(border.x, border.y) < nearest.w {
            return select(vec4f(0.0, 0.0, side.y, -border.y), vec4f(side.x, 0.0, 0.0, -border.x), border.x < border.y);
        }
        return -nearest;
    }
    return nearest;
}

// The nearest triangle: from it to p in xyz, a unit vector, and how far it is [m].
fn nearest_of_cells(shape: u32, p: vec3f, place: PlaceOver) -> vec4f {
    let field = bitcast<vec4f>(shapes[4u * shape + 1u]);
    let cells = heightfield_cells(shape);
    let middle = 0.5 * vec2f(cells);
    // Straight below, or at the border, it is no farther than this.
    let most = length(vec2f(place.above, place.gap));
    let reach = min(most, field.z);
    let wanted = p.xz / field.x + middle;
    let low = vec2u(clamp(floor(wanted - reach / field.x), vec2f(0.0), vec2f(cells - 1u)));
    let high = vec2u(clamp(floor(wanted + reach / field.x), vec2f(0.0), vec2f(cells - 1u)));
    let side = select(1.0, -1.0, place.above < 0.0);
    var nearest = vec4f(0.0, side, 0.0, most * 1.0001 + 1e-6);
    for (var z = low.y; z <= high.y; z++) {
        for (var x = low.x; x <= high.x; x++) {
            let corner = vec2f(vec2u(x, z));
            let off = max(max(corner - wanted, wanted - corner - 1.0), vec2f(0.0));
            if field.x * length(off) >= nearest.w {
                continue;
            }
            let h = height_row(shape, vec2u(x, z), cells);
            let base = (corner - middle) * field.x;
            let to = base + field.x;
            let b = vec3f(to.x, h.y, base.y);
            let c = vec3f(base.x, h.z, to.y);
            var first = vec3f(base.x, h.x, base.y);
            var last = b;
            for (var half = 0u; half < 2u; half++) {
                nearest = nearer_of(nearest, p, side, first, c, last);
                first = b;
                last = vec3f(to.x, h.w, to.y);
            }
        }
    }
    return nearest;
}

fn nearer_of(nearest: vec4f, p: vec3f, side: f32, a: vec3f, b: vec3f, c: vec3f) -> vec4f {
    let away = p - closest_on_triangle(p, a, b, c);
    let length = length(away);
    if length >= nearest.w {
        return nearest;
    }
    // On the surface its own normal counts, seen from the side of p.
    return vec4f(select(side * normalize(cross(b - a, c - a)), away / length, length > 1e-6), length);
}

// Trilinear; each cell keeps its eight corners in two rows. Outside the lattice the way to its box is added.
fn grid_at(shape: u32, first: u32, p: vec3f) -> vec4f {
    let frame = bitcast<vec4f>(shapes[4u * shape + 2u]);
    let cells = shapes[4u * shape + 3u].xyz;
    let wanted = (p - frame.xyz) / frame.w;
    let inside = clamp(wanted, vec3f(0.0), vec3f(cells));
    let base = min(vec3u(inside), cells - 1u);
    let f = inside - vec3f(base);
    let row = first + 2u * ((base.z * cells.y + base.y) * cells.x + base.x);
    let low = bitcast<vec4f>(shapes[row]);
    let high = bitcast<vec4f>(shapes[row + 1u]);
    let z_mix = mix(low, high, f.z);
    let y_mix = mix(z_mix.xy, z_mix.zw, f.y);
    let value = mix(y_mix.x, y_mix.y, f.x);
    let x_slope = mix(z_mix.y - z_mix.x, z_mix.w - z_mix.z, f.y);
    let y_slope = mix(z_mix.z - z_mix.x, z_mix.w - z_mix.y, f.x);
    let rise = high - low;
    let rise_y = mix(rise.xy, rise.zw, f.y);
    let z_slope = mix(rise_y.x, rise_y.y, f.x);
    let gap = wanted - inside;
    let slope = vec3f(x_slope, y_slope, z_slope) + gap * frame.w;
    let steep = length(slope);
    return vec4f(select(vec3f(0.0, 1.0, 0.0), slope / steep, steep > 1e-9), value + length(gap) * frame.w);
}

// One-sided triangle contact: outward normal in xyz, signed distance in w; distance 1e9 when p does not face it.
fn triangle_at(row: u32, p: vec3f) -> vec4f {
    let a = bitcast<vec4f>(shapes[row]).xyz;
    let b = bitcast<vec4f>(shapes[row + 1u]).xyz;
    let c = bitcast<vec4f>(shapes[row + 2u]).xyz;
    // A triangle without area faces nowhere, so it touches nothing.
    let across = cross(b - a, c - a);
    let face = across * inverseSqrt(max(dot(across, across), 1e-30));
    let height = dot(p - a, face);
    let q = p - face * height;
    let inside = dot(cross(b - a, q - a), face) >= 0.0 && dot(cross(c - b, q - b), face) >= 0.0
        && dot(cross(a - c, q - c), face) >= 0.0;
    if inside {
        return vec4f(face, height);
    }
    let nearest_ab = a + (b - a) * saturate(dot(p - a, b - a) / max(dot(b - a, b - a), 1e-30));
    let nearest_bc = b + (c - b) * saturate(dot(p - b, c - b) / max(dot(c - b, c - b), 1e-30));
    let nearest_ca = c + (a - c) * saturate(dot(p - c, a - c) / max(dot(a - c, a - c), 1e-30));
    var away = p - nearest_ab;
    if dot(p - nearest_bc, p - nearest_bc) < dot(away, away) { away = p - nearest_bc; }
    if dot(p - nearest_ca, p - nearest_ca) < dot(away, away) { away = p - nearest_ca; }
    let length = length(away);
    // Behind the face and beside it belongs to the neighbouring triangle.
    if height <= 0.0 || length < 1e-9 {
        return vec4f(face, 1e9);
    }
    return vec4f(away / length, length);
}
