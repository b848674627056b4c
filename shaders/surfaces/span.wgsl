// For how long surfaces are searched. The including kernel declares `params`.

// A frame, and a substep more [s].
fn search_time() -> f32 {
    return params.dt + params.substep_dt;
}
