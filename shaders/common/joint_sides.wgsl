#import "common/joint"
#import "common/response"
#import "common/joint_angles"
// The two bodies of the joint being solved. Contacts push overlap out without making velocity; where a joint answers
// such a shift, its answer must not become velocity either, or bodies at rest would be shaken. The including kernel declares `params`.

var<private> a: Body;
var<private> b: Body;
var<private> pa: BodyProperties;
var<private> pb: BodyProperties;
var<private> shift_a: Shift;
var<private> shift_b: Shift;
var<private> mean: JointPoint; // mean of the shared particles

// Pushes b by `push` and a by its opposite.
fn push_apart(push_a: Push, push_b: Push) {
    var on_a = push_a;
    var on_b = push_b;
    if a.center.w != 0.0 && b.center.w != 0.0 {
        // Moving the centers past each other changes Σ x × p: the spins balance it, and angular momentum is kept.
        let passing = 0.5 * params.gravity.w * (a.velocity.xyz - b.velocity.xyz);
        on_a.made_angular += cross(passing, push_a.linear);
        on_b.made_angular -= cross(passing, push_b.linear);
    }
    if a.center.w != 0.0 {
        shift_a = shifted(shift_a, a, pa, on_a);
        a = body_pushed(a, pa, on_a, params.gravity.w);
    }
    if b.center.w != 0.0 {
        shift_b = shifted(shift_b, b, pb, on_b);
        b = body_pushed(b, pb, on_b, params.gravity.w);
    }
}

// A turn of b against a about an axis that leaves the joint closed: an angular impulse, and the pull at the joint's mean
// point that goes with it.
struct Turning {
    axis: vec3f,
    weight: f32,               // relative turn per angular impulse [1/(kg m²)]
    pull: vec3f,               // on b per angular impulse [1/m]
}

fn turning_about(axis: vec3f) -> Turning {
    let arm_a = rotate(a.rotation, mean.local_a.xyz);
    let arm_b = rotate(b.rotation, mean.local_b.xyz);
    let turn_a = turn_response(a, pa) * axis;
    let turn_b = turn_response(b, pb) * axis;
    let opening = cross(turn_a, arm_a) + cross(turn_b, arm_b);
    let pull = -(inverse(point_response(a, pa, arm_a) + point_response(b, pb, arm_b)) * opening);
    let alone = dot(axis, turn_a + turn_b);
    return Turning(axis, max(alone + dot(pull, opening), 1e-3 * alone), pull);
}

// Turns b by the angular impulse `amount` [kg m²] about the axis and a by its opposite; `made` of it becomes velocity.
fn turn_apart(turning: Turning, amount: f32, made: f32) {
    let arm_a = rotate(a.rotation, mean.local_a.xyz);
    let arm_b = rotate(b.rotation, mean.local_b.xyz);
    let on_a = -turning.axis - cross(arm_a, turning.pull);
    let on_b = turning.axis + cross(arm_b, turning.pull);
    push_apart(Push(-amount * turning.pull, amount * on_a, -made * turning.pull, made * on_a),
        Push(amount * turning.pull, amount * on_b, made * turning.pull, made * on_b));
}

// How far b's point at `arm_b` was shifted from a's at `arm_a` [m].
fn relative_shift(arm_a: vec3f, arm_b: vec3f) -> vec3f {
    return shift_b.linear.xyz + arm_b - rotate_back(shift_b.rotation, arm_b)
        - shift_a.linear.xyz - arm_a + rotate_back(shift_a.rotation, arm_a);
}

// How far b was turned against a without velocity [rad].
fn relative_turn() -> vec3f {
    return rotation_vector(shift_b.rotation) - rotation_vector(shift_a.rotation);
}
