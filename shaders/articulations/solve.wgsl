#import "common/params"
#import "common/body"
#import "common/control"
#import "articulations/tree"
// One workgroup per cluster of joint islands, whose threads take joint after joint of a level: every tree of joints is solved at once, from
// its leaves to its root and back. Joints that close loops follow one after the other, by color. All in one dispatch; what
// turning leaves open, and what loops pull open, the next sweep closes.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> joints: array<Joint>;
@group(1) @binding(3) var<storage, read_write> joint_states: array<JointState>;
@group(1) @binding(4) var<storage, read_write> joint_nodes: array<JointNode>;
// For each cluster where its list begins: how many levels and how many colors of loops; the first node of each level, and
// the end; the first joint of each color, and the end.
@group(1) @binding(5) var<storage, read> clusters: array<u32>;
@group(1) @binding(6) var<storage, read_write> control: Control;
@group(1) @binding(7) var<storage, read_write> body_pseudo_motions: array<PseudoMotion>;

override LANES: u32 = 32u;
// Whether any joint closes a loop.
override LOOPS: u32 = 1u;
// Sweeps end once no joint of the cluster is farther open than this, in particle radii.
const TOLERANCE: f32 = 0.01;
// Opening of a joint that awaits its friction, its cushion or its speed: it acts in the second sweep, when velocities know of the load.
const UNFINISHED: f32 = 1e6;

var<workgroup> widest: atomic<u32>;
var<workgroup> seen: u32;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let index = group.y * groups.x + group.x;
    if index >= params.cluster_count {
        return;
    }
    let level_count = clusters[clusters[index]];
    let color_count = clusters[clusters[index] + 1u];
    let levels = clusters[index] + 2u;
    let colors = levels + level_count + 1u;
    let first = clusters[levels] + local;
    // Roots have no joint.
    let first_joint = clusters[levels + min(1u, level_count)] + local;
    let end = clusters[levels + level_count];
    // The first sweep gives every joint its motor and its limits, unless all sleep.
    var opening = measured(first_joint, end, local, colors, color_count, 0u);
    if opening == 0.0 {
        return;
    }
    // Ends where it is known that no sweep follows: a software adapter goes through all that a loop leaves out.
    var sweep = 0u;
    loop {
        var is_final = !TRAVELS || sweep != 1u;
        loop {
            solve_trees(levels, level_count, local, sweep);
            if is_final || !slackens(first_joint, end, local) {
                break;
            }
            is_final = true;
        }
        for (var i = first; i < end; i += LANES) {
            push_body(i, sweep);
        }
        storageBarrier();
        if LOOPS > 0u {
            for (var color = 0u; color < color_count; color++) {
                for (var i = clusters[colors + color] + local; i < clusters[colors + color + 1u]; i += LANES) {
                    close_loop(i, sweep);
                }
                storageBarrier();
            }
        }
        sweep++;
        opening = measured(first_joint, end, local, colors, color_count, sweep);
        continuing {
            break if sweep >= params.joint_sweeps || opening < TOLERANCE * params.particle_radius;
        }
    }
}

// How everything moves: from the leaves to the roots and back.
fn solve_trees(levels: u32, level_count: u32, local: u32, sweep: u32) {
    for (var level = level_count; level > 0u; level--) {
        for (var i = clusters[levels + level - 1u] + local; i < clusters[levels + level]; i += LANES) {
            gather(i, sweep);
        }
        storageBarrier();
    }
    for (var level = 1u; level < level_count; level++) {
        for (var i = clusters[levels + level] + local; i < clusters[levels + level + 1u]; i += LANES) {
            spread(i);
        }
        storageBarrier();
    }
}

// Lets go of what a taut range would push, in place of pulling at it. Returns whether there is such a range: the tree is solved again then.
fn slackens(first: u32, end: u32, local: u32) -> bool {
    if local == 0u {
        atomicStore(&widest, 0u);
    }
    workgroupBarrier();
    for (var i = first; i < end; i += LANES) {
        let outward = joint_nodes[i].taut;
        if dot(outward, joint_nodes[i].moved.impulse_velocity.linear) > 0.0 {
            joint_nodes[i].way.free += outer(outward, outward);
            joint_nodes[i].taut = vec3f(0.0);
            open_by(1.0);
        }
    }
    workgroupBarrier();
    if local == 0u {
        seen = atomicLoad(&widest);
    }
    return workgroupUniformLoad(&seen) != 0u;
}

// How far the joints of a cluster are open at most [m].
fn measured(first: u32, end: u32, local: u32, colors: u32, color_count: u32, sweep: u32) -> f32 {
    if local == 0u {
        atomicStore(&widest, 0u);
    }
    workgroupBarrier();
    // Those of the trees and after them those that close loops: drivers copy what is called to each place that calls it.
    var loops = 0u;
    if LOOPS > 0u {
        loops = clusters[colors + color_count] - clusters[colors];
    }
    for (var i = first; i < end + loops; i += LANES) {
        let in_tree = LOOPS == 0u || i < end;
        var joint: u32;
        if in_tree {
            joint = joint_nodes[i].joint;
        } else {
            joint = clusters[colors] + i - end;
        }
        if joint != NONE {
            keeps_taut = in_tree && sweep == 1u && joints[joint].driven != DRIVEN_AT_VELOCITY;
            let opening = measure_joint(joint);
            keeps_taut = false;
            var is_resisted = resists(joint);
            if in_tree {
                is_resisted = keep_rows(i, joint, opening > 0.0) || is_resisted;
            }
            open_by(select(opening, UNFINISHED, is_resisted && opening > 0.0 && sweep == 1u));
        }
    }
    workgroupBarrier();
    if local == 0u {
        seen = atomicLoad(&widest);
    }
    return bitcast<f32>(workgroupUniformLoad(&seen));
}

// Bits of positive numbers are ordered as the numbers are.
fn open_by(opening: f32) {
    atomicMax(&widest, bitcast<u32>(opening));
}

// Returns how far the joint is open [m], a little more than 0 when its bodies are awake.
fn measure_joint(i: u32) -> f32 {
    let joint = joints[i];
    a = bodies[joint.body_a];
    b = bodies[joint.body_b];
    if joint_states[i].broken == JOINT_BROKEN || (a.inv_mass == 0.0 && b.inv_mass == 0.0) {
        return 0.0;
    }
    shift_a = body_pseudo_motions[joint.body_a];
    shift_b = body_pseudo_motions[joint.body_b];
    measure(joint);
    if joint_states[i].broken == JOINT_MENDS && come_together(joint) {
        joint_states[i].broken = 0u;
    }
    return max(rows.opening, 1e-12);
}

// Keeps what was measured of the joint of a node, if its bodies are awake. Returns whether something resists its turning.
fn keep_rows(i: u32, joint: u32, awake: bool) -> bool {
    joint_nodes[i].held = u32(joint_states[joint].broken != JOINT_BROKEN);
    if awake {
        joint_nodes[i].rows = rows_of(joint_nodes[i].side);
        if TRAVELS {
            joint_nodes[i].way = way_of(joint_nodes[i].side);
        }
    }
    if TRAVELS {
        joint_nodes[i].taut = select(vec3f(0.0), joint_nodes[i].side * taut, awake);
    }
    let cushion = dot(abs(rows.swing_cushion) + abs(rows.twist_cushion), vec3f(1.0));
    return joints[joint].friction + joints[joint].damping + cushion > 0.0;
}

// Whether a joint acts on speeds: by its motor, or along its way.
fn resists(i: u32) -> bool {
    return drives_velocity(joints[i]) || resists_way(i);
}

// Whether a joint has friction or a speed along its way.
fn resists_way(i: u32) -> bool {
    return TRAVELS && joints[i].travelling != TRAVELS_NOT
        && (joints[i].driven == DRIVEN_AT_VELOCITY || joints[i].friction + joints[i].damping > 0.0);
}
