#import "common/control"
#import "common/params"
#import "common/matrix"
#import "common/thread"
// One thread per elastic tetrahedron that may flow: at the end of a frame its rest shape follows strain beyond the yield
// (Bargteil et al. 2007). Symbols and twin: constraints::plasticity.

struct PlasticTetrahedron {
    particles: vec4u,
    edges_x: vec4f,            // D₀ by columns [m]
    edges_y: vec4f,
    edges_z: vec4f,
    word: u32,                 // the first of its numbers,
    stride: u32,               // and how far apart they are
    yield_strain: f32,
    creep: f32,                // how fast the excess flows [1/s]
    most: f32,                 // strain of the rest shape
}

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read> plastic_tetrahedra: array<PlasticTetrahedron>;
@group(1) @binding(2) var<storage, read_write> constraint_words: array<u32>;

// Below this part of its volume a tetrahedron is crushed, and its strain says nothing.
const LEAST_VOLUME: f32 = 0.05;
// Squared stretch below which a logarithm would say no more: a millionth of the length.
const LEAST_SQUARE: f32 = 1e-12;
// What is left off the diagonal of FᵀF that needs no turn: nothing that f32 keeps beside stretches about 1.
const LEAST_SHEAR: f32 = 1e-12;
// Rounds of rotations that diagonalize a matrix to f32.
const ROUNDS: u32 = 4u;

struct Principal {
    squares: vec3f,
    axes: mat3x3f,
}

struct Strain {
    shape: vec3f,              // logarithmic, without change of volume
    size: f32,                 // as of a pulled bar
}

// Squared stretches and their axes: Jacobi rotations of FᵀF.
fn principal(f: mat3x3f) -> Principal {
    var a = transpose(f) * f;
    var axes = IDENTITY;
    for (var round = 0u; round < 3u * ROUNDS; round++) {
        let p = round % 3u;
        let q = (p + 1u) % 3u;
        let off = a[q][p];
        if abs(off) < LEAST_SHEAR {
            continue;
        }
        let theta = 0.5 * (a[q][q] - a[p][p]) / off;
        let t = select(-1.0, 1.0, theta >= 0.0) / (abs(theta) + sqrt(theta * theta + 1.0));
        let c = inverseSqrt(t * t + 1.0);
        var turn = IDENTITY;
        turn[p][p] = c;
        turn[q][q] = c;
        turn[q][p] = t * c;
        turn[p][q] = -t * c;
        a = transpose(turn) * a * turn;
        axes = axes * turn;
    }
    return Principal(vec3f(a[0][0], a[1][1], a[2][2]), axes);
}

fn strain(squares: vec3f) -> Strain {
    var e = 0.5 * log(max(squares, vec3f(LEAST_SQUARE)));
    e -= (e.x + e.y + e.z) / 3.0;
    return Strain(e, sqrt(2.0 / 3.0) * length(e));
}

// Strain of the rest shape against the first one.
fn set_of(tetrahedron: PlasticTetrahedron, inverse: mat3x3f) -> f32 {
    let edges = mat3x3f(tetrahedron.edges_x.xyz, tetrahedron.edges_y.xyz, tetrahedron.edges_z.xyz);
    return strain(principal(edges * inverse).squares).size;
}

fn moved(inverse: mat3x3f, p: Principal, e: vec3f) -> mat3x3f {
    let s = exp(-e);
    return inverse * (mat3x3f(p.axes[0] * s.x, p.axes[1] * s.y, p.axes[2] * s.z) * transpose(p.axes));
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= arrayLength(&plastic_tetrahedra) {
        return;
    }
    let tetrahedron = plastic_tetrahedra[i];
    let inverse = mat3x3f(column(tetrahedron, 0u), column(tetrahedron, 1u), column(tetrahedron, 2u));
    let at = particles[tetrahedron.particles.x].xyz;
    let f = mat3x3f(particles[tetrahedron.particles.y].xyz - at, particles[tetrahedron.particles.z].xyz - at,
        particles[tetrahedron.particles.w].xyz - at) * inverse;
    let volume = dot(f[0], cross(f[1], f[2]));
    if is_broken(vec4f(f[0], volume)) || is_broken(vec4f(f[1], 0.0)) || is_broken(vec4f(f[2], 0.0)) || volume < LEAST_VOLUME {
        return;
    }
    let p = principal(f);
    let e = strain(p.squares);
    if is_broken(vec4f(e.size)) || e.size <= tetrahedron.yield_strain {
        return;
    }
    let share = (1.0 - tetrahedron.yield_strain / e.size) * (1.0 - exp(-tetrahedron.creep * params.dt));
    var next = moved(inverse, p, share * e.shape);
    let before = set_of(tetrahedron, inverse);
    let now = set_of(tetrahedron, next);
    if now > tetrahedron.most && now > before {
        next = moved(inverse, p, share * clamp((tetrahedron.most - before) / (now - before), 0.0, 1.0) * e.shape);
    }
    for (var k = 0u; k < 9u; k++) {
        constraint_words[tetrahedron.word + k * tetrahedron.stride] = bitcast<u32>(next[k / 3u][k % 3u]);
    }
}

// Column k of the inverse rest shape.
fn column(tetrahedron: PlasticTetrahedron, k: u32) -> vec3f {
    let at = tetrahedron.word + 3u * k * tetrahedron.stride;
    return bitcast<vec3f>(vec3u(constraint_words[at], constraint_words[at + tetrahedron.stride],
        constraint_words[at + 2u * tetrahedron.stride]));
}
