// For how long surfaces are searched. The including kernel declares `params`.

// Such a part of a frame, and a substep more [s].
fn span_of(parts: u32) -> f32 {
    return params.dt / f32(parts) + params.substep_dt;
}
