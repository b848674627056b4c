// How fast what overlaps opens. The including kernel declares `params`.

// What of a depth [m] becomes velocity, for what is approached in a substep [m]: the approach is stopped, old overlap opens at
// depenetration_speed, or it would throw, and what comes fast bounces.
fn opened(depth: f32, approach: f32, restitution: f32) -> f32 {
    let part = min(depth, approach + params.depenetration_speed * params.substep_dt);
    if approach > params.restitution_speed * params.substep_dt {
        return max(part, approach * (1.0 + restitution));
    }
    return part;
}
