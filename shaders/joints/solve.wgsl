#import "common/params"
#import "common/body"
#import "common/control"
#import "common/joint_turns"
// One workgroup per cluster of joint islands, one thread per joint of a color: Gauss-Seidel over the colors, all in one
// dispatch. Friction, drive and limits act on the relative rotation; then the shared particles are constraints
// between the rigid states: their mean by P = K⁻¹ (x_b - x_a), K = Σ 1/M + [r]ᵀ I⁻¹ [r], and the lever they span. Most
// islands close in one sweep; those that something hit go on.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> joints: array<Joint>;
@group(1) @binding(3) var<storage, read_write> joint_broken: array<u32>;
@group(1) @binding(4) var<storage, read> clusters: array<Cluster>;
@group(1) @binding(5) var<storage, read> color_starts: array<u32>;
@group(1) @binding(6) var<storage, read_write> control: Control;
@group(1) @binding(7) var<storage, read_write> body_shifts: array<Shift>;

const WIDTH: u32 = 32u;
// Sweeps end once no joint of the cluster is farther open than this, in particle radii.
const TOLERANCE: f32 = 0.01;

var<workgroup> widest: atomic<u32>;
var<workgroup> seen: u32;

@compute @workgroup_size(32)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let index = group.y * groups.x + group.x;
    if index >= params.cluster_count {
        return;
    }
    let cluster = clusters[index];
    for (var sweep = 0u; sweep < params.joint_sweeps; sweep++) {
        if local == 0u {
            atomicStore(&widest, 0u);
        }
        workgroupBarrier();
        for (var color = 0u; color < cluster.color_count; color++) {
            let first = color_starts[cluster.first_color + color];
            let end = color_starts[cluster.first_color + color + 1u];
            for (var i = first + local; i < end; i += WIDTH) {
                if joint_broken[i] == 0u {
                    // Bits of positive numbers are ordered as the numbers are.
                    atomicMax(&widest, bitcast<u32>(solve_joint(i, sweep == 0u)));
                }
            }
            // The next color reads bodies that this one moved.
            storageBarrier();
        }
        workgroupBarrier();
        if local == 0u {
            seen = atomicLoad(&widest);
        }
        if bitcast<f32>(workgroupUniformLoad(&seen)) < TOLERANCE * params.particle_radius {
            break;
        }
    }
}

// Returns how far the joint was open, in place or by velocity [m].
fn solve_joint(i: u32, first_sweep: bool) -> f32 {
    let joint = joints[i];
    a = bodies[joint.body_a];
    b = bodies[joint.body_b];
    if a.center.w == 0.0 && b.center.w == 0.0 {
        return 0.0;
    }
    pa = body_properties[joint.body_a];
    pb = body_properties[joint.body_b];
    shift_a = body_shifts[joint.body_a];
    shift_b = body_shifts[joint.body_b];
    mean = JointPoint();
    for (var k = 0u; k < joint.point_count; k++) {
        mean.local_a += joint.points[k].local_a / f32(joint.point_count);
        mean.local_b += joint.points[k].local_b / f32(joint.point_count);
    }
    if first_sweep {
        resist(joint);
        drive(joint);
    }
    limit(joint);
    var opening = 0.0;
    if joint.point_count > 1u {
        opening = align(joint);
    } else if joint.strength.z != 0.0 {
        square(joint);
    }
    let pull = pull_together();
    let h = params.gravity.w;
    if length(pull.xyz) > joint.strength.x * h * h {
        joint_broken[i] = 1u;
        atomicAdd(&control.joints_broken, 1u);
    }
    // Immovable bodies are not written: joints of one color may share them.
    if a.center.w != 0.0 {
        bodies[joint.body_a] = a;
        body_shifts[joint.body_a] = shift_a;
    }
    if b.center.w != 0.0 {
        bodies[joint.body_b] = b;
        body_shifts[joint.body_b] = shift_b;
    }
    return max(opening, pull.w);
}

// Returns the impulse made [kg m], and how far the points were apart [m].
fn pull_together() -> vec4f {
    let arm_a = rotate(a.rotation, mean.local_a.xyz);
    let arm_b = rotate(b.rotation, mean.local_b.xyz);
    let gap = (b.center.xyz - a.center.xyz) + arm_b - arm_a;
    let stiffness = inverse(point_response(a, pa, arm_a) + point_response(b, pb, arm_b));
    let impulse = stiffness * gap;
    let gap_made = gap - relative_shift(arm_a, arm_b);
    let made = stiffness * gap_made;
    push_apart(Push(impulse, cross(arm_a, impulse), made, cross(arm_a, made)),
        Push(-impulse, -cross(arm_b, impulse), -made, -cross(arm_b, made)));
    return vec4f(made, max(length(gap), length(gap_made)));
}
