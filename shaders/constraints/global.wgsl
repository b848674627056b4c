#import "common/params"
#import "common/workgroup_sum"
#import "constraints/phantoms"
#import "constraints/global_row"
// One workgroup per row of one type of global constraint: all its 64 threads call the type's NAME_solve. The entry point comes
// from solver::global, which gives every type a kernel. Twin: constraints::GlobalRow.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> global_constraints: array<GlobalConstraint>;
@group(1) @binding(1) var<storage, read> global_members: array<GlobalMember>;
@group(1) @binding(2) var<storage, read> global_corners: array<vec2u>;
@group(1) @binding(3) var<storage, read_write> global_gradients: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> global_multipliers: array<f32>;
@group(1) @binding(5) var<storage, read_write> global_rotations: array<vec4f>;
@group(1) @binding(6) var<storage, read> particle_starts: array<Start>;
@group(1) @binding(7) var<storage, read_write> particle_moves: array<vec4f>;

// Where the first member was before the constraints [m]: places are relative to it.
var<private> origin: vec3f;

fn place(particle: u32) -> vec3f {
    return particle_starts[particle].place - origin + particle_moves[particle].xyz;
}
