#import "common/params"
#import "common/body"
#import "common/thread"
// One thread per particle. Writes it where its bodies hold it: a shared particle at the mean of its owners' goals,
// weighted by their shares of its mass (paper 5, section 4).

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> links: array<Link>;
@group(1) @binding(2) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(3) var<storage, read_write> particles: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    var link = particle_rows[i].link;
    if link == NONE {
        return;
    }
    var sum = vec3f(0.0);
    var mass = 0.0;
    while link != NONE {
        let l = links[link];
        let b = bodies[l.body];
        sum += l.local.w * (b.center + rotate(b.rotation, l.local.xyz));
        mass += l.local.w;
        link = l.next;
    }
    particles[i] = vec4f(sum / mass, particles[i].w);
}
