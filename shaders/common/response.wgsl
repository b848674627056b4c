#import "common/body"
#import "common/inverse"
// How a body answers impulses, as matrices: for constraints that are solved in all directions at once.

// Turn of the body per angular impulse on it, in columns.
fn turn_response(body: Body, p: BodyProperties) -> mat3x3f {
    if body.inv_mass == 0.0 {
        return mat3x3f();
    }
    return mat3x3f(
        inverse_inertia_times(p, body.rotation, vec3f(1.0, 0.0, 0.0)),
        inverse_inertia_times(p, body.rotation, vec3f(0.0, 1.0, 0.0)),
        inverse_inertia_times(p, body.rotation, vec3f(0.0, 0.0, 1.0)),
    );
}
