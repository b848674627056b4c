#import "constraints/constraint"
#import "common/thread"
// One thread per place: what an equation that a user wrote says there. solver::gradient makes the kernel: it adds the equation, and
// `main`.

@group(0) @binding(0) var<storage, read> probes: array<Probe>;
@group(0) @binding(1) var<storage, read> probe_values: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> probed: array<Probed>;

// Where the first particle is [m].
var<private> origin: vec3f;

// Where the particles of a row are [m], and which of its equations is asked.
struct Probe {
    a: vec3f,
    index: u32,
    b: vec3f,
    c: vec3f,
    d: vec3f,
}

// The answer.
struct Probed {
    a: vec3f,                  // ∇C by particle
    value: f32,                // C
    b: vec3f,
    c: vec3f,
    d: vec3f,
}

fn probe_stencil(i: u32) -> Stencil {
    let p = probes[i];
    origin = p.a;
    return Stencil(vec3f(0.0), p.b - p.a, p.c - p.a, p.d - p.a);
}

fn answer(i: u32, found: Equation) {
    probed[i] = Probed(found.a, found.value, found.b, found.c, found.d);
}
