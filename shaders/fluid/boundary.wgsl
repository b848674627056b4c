#import "common/params"
#import "fluid/walls"
#import "common/row"
#import "common/thread"
// One thread per member of the fluid. Colliders near a particle of liquid count as half spaces full of liquid: what they displace,
// and where that pushes.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(2) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(1) var fluid_places: texture_2d<u32>;
@group(1) @binding(2) var<storage, read> colliders: array<Collider>;
@group(1) @binding(3) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(4) var<storage, read_write> collider_gaps: array<ColliderGap>;
@group(1) @binding(5) var<storage, read_write> fluid_boundaries: array<Boundary>;
@group(1) @binding(6) var<storage, read> particle_velocities: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    let own = textureLoad(fluid_places, row_at(s), 0);
    wall_count = 0u;
    if !is_solid(fluid, own) {
        let i = sorted_particles[s];
        wall_mover = particle_velocities[i].xyz;
        find_walls(i, vector_of(own));
    }
    if wall_count == 0u {
        fluid_boundaries[s].count = 0.0;
        return;
    }
    var boundary: Boundary;
    // Half spaces at right angles overlap by the product of what they fill.
    var left = 1.0;
    for (var k = 0u; k < wall_count; k++) {
        left *= 1.0 - half_space(fluid, walls[k].w);
        boundary.push += half_space_slope(fluid, walls[k].w) * walls[k].xyz;
    }
    boundary.fill = 1.0 - left;
    boundary.count = 1.0;
    boundary.wall = select(MANY_WALLS, wall_colliders[0] + 1u, wall_count == 1u);
    fluid_boundaries[s] = boundary;
}
