// Signed distance and outward normal of the solid shapes. The including kernel declares `shapes: array<vec4u>`:
// four header rows a shape, then the data of grids and meshes (solver::colliders packs them).

const SHAPE_PLANE: u32 = 0u;
const SHAPE_CUBOID: u32 = 1u;
const SHAPE_SPHERE: u32 = 2u;
const SHAPE_CAPSULE: u32 = 3u;
const SHAPE_GRID: u32 = 4u;
const SHAPE_MESH: u32 = 5u;
const SHAPE_CYLINDER: u32 = 6u;

// The shapes that the scene has, a bit for each: a kernel leaves out the others.
override SHAPES: u32 = 0xffffffffu;

// Whether a shape is of this kind.
fn is_of(shape: u32, kind: u32) -> bool {
    return (SHAPES & (1u << kind)) != 0u && shapes[4u * shape].x == kind;
}

// Normal in xyz, signed distance in w, at p in the shape's frame. A mesh answers "far": its triangles are contacts.
fn shape_at(shape: u32, p: vec3f) -> vec4f {
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
    if is_of(shape, SHAPE_GRID) {
        return grid_at(shape, shapes[4u * shape].y, p);
    }
    return vec4f(0.0, 1.0, 0.0, 1e9);
}

// A lower bound of the distance, also for meshes: to the box of their lattice.
fn shape_bound(shape: u32, p: vec3f) -> f32 {
    if !is_of(shape, SHAPE_MESH) {
        return shape_at(shape, p).w;
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
