#import "constraints/constraint"
#import "common/control"
// What an equation that a user wrote says, if it says something. The including kernel declares `constraint_multipliers`.

// How far off a constraint may be at most [m]: an equation that says more would throw its particles out of the world.
const FARTHEST: f32 = 1e5;

// The equation, or one that does nothing: what is no number would make all that it reaches none. That it was so stands after the
// multipliers, in their last row, until `particles/finish` counts it.
fn sound(e: Equation) -> Equation {
    let steepest = dot(e.a, e.a) + dot(e.b, e.b) + dot(e.c, e.c) + dot(e.d, e.d);
    let far = steepest > 0.0 && abs(e.value) > FARTHEST * sqrt(steepest);
    if far || is_broken(vec4f(e.value, e.compliance, e.most, steepest)) || is_broken(vec4f(e.a + e.b, 0.0))
        || is_broken(vec4f(e.c + e.d, 0.0)) {
        constraint_multipliers[arrayLength(&constraint_multipliers) - 1u].x = 1.0;
        return Equation(0.0, 0.0, UNBOUNDED, vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0));
    }
    return e;
}
