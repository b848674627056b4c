#import "common/thread"
#import "common/body"
#import "render/bone"
// Where the bones of all instances are: lengths of the rest pose, rotations of the bodies and of the pose.
// One thread stands for a bone and walks up to its root; a character is a few dozen bones, seldom ten deep.

@group(0) @binding(0) var<storage, read> bodies: array<Body>;
@group(0) @binding(1) var<storage, read> bones: array<Bone>;
// Rotation of each bone against its parent from the rest pose.
@group(0) @binding(2) var<storage, read> turns: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> placements: array<Placement>;

const UNTURNED = vec4f(0.0, 0.0, 0.0, 1.0);
// Most that a bone turns away from its parent to share the turning of the next body [rad].
const MOST_BEND = 0.6;
// A quaternion shorter than this has no turning about the axis left.
const LEAST_TURNING = 1e-6;

fn gone(rotation: vec4f) -> bool {
    return all(rotation == vec4f());
}

// Rotation of a bone by its body, or else by the pose from the body above it; zero when that body is gone.
fn rotation_of(bone: u32) -> vec4f {
    var rotation = UNTURNED;
    var at = bone;
    while bones[at].body == NO_BONE {
        rotation = quat_mul(turns[at], rotation);
        at = bones[at].parent;
    }
    return quat_mul(bodies[bones[at].body].rotation, rotation);
}

// Where the pivot of a bone is.
fn pivot_of(bone: u32) -> vec3f {
    // From the pivot of the bone that the walk has come to, in that bone's rest axes, to the bone's pivot.
    var arm = vec3f();
    // From the pivot of the last body that the walk has passed to the bone's pivot, in the world.
    var beyond = vec3f();
    var place = vec3f();
    var joint = vec3f();
    var child_center = vec3f();
    var at = bone;
    for (var passed = 0u; at != NO_BONE; at = bones[at].parent) {
        let row = bones[at];
        if row.body == NO_BONE {
            arm = rotate(turns[at], arm);
        } else {
            let body = bodies[row.body];
            let own = body.center + rotate(body.rotation, row.pivot - row.rest_center);
            let reach = rotate(body.rotation, arm);
            let torn = distance(own + reach, joint) > distance(row.rest_center, child_center);
            if gone(body.rotation) || (passed > 0u && torn) {
                break;
            }
            beyond += reach;
            place = own + beyond;
            joint = own;
            child_center = row.rest_center;
            arm = vec3f();
            passed++;
        }
        if row.parent != NO_BONE {
            arm += row.pivot - bones[row.parent].pivot;
        }
    }
    return place;
}

// The rotation by at most MOST_BEND that is this share of the unit quaternion `whole`.
fn part_of(whole: vec4f, share: f32) -> vec4f {
    return turn(UNTURNED, shortened(share * rotation_vector(whole), MOST_BEND));
}

// What a bone turned by `rotation` takes of the turning of the body beyond it.
fn bent(row: Bone, rotation: vec4f) -> vec4f {
    let end = bones[row.bend_toward];
    let actual = bodies[end.body].rotation;
    if gone(actual) {
        return UNTURNED;
    }
    let posed = quat_mul(rotation_of(end.parent), turns[row.bend_toward]);
    var turned = quat_mul(actual, quat_conjugate(posed));
    if any(row.bend_axis != vec3f()) {
        let axis = rotate(rotation, row.bend_axis);
        turned = vec4f(axis * dot(turned.xyz, axis), turned.w);
    }
    let length = length(turned);
    return select(UNTURNED, part_of(turned / length, row.bend_share), length > LEAST_TURNING);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let bone = global_index(id, groups);
    if bone >= arrayLength(&bones) {
        return;
    }
    let row = bones[bone];
    var rotation = rotation_of(bone);
    if gone(rotation) {
        placements[bone] = Placement(rotation, vec3f());
        return;
    }
    var offset = pivot_of(bone) - rotate(rotation, row.pivot);
    if row.bend_share > 0.0 {
        let about = offset + rotate(rotation, row.bend_about);
        rotation = quat_mul(bent(row, rotation), rotation);
        offset = about - rotate(rotation, row.bend_about);
    }
    placements[bone] = Placement(rotation, offset);
}
