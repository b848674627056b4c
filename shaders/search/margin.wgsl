#import "common/control"
// How far what moves may go until contacts are searched again. The including kernel declares `params`.

// The margin for the way that something is expected to go [m]: never less than a third of its radius, never more than `most`
// radii.
fn search_margin(way: f32, radius: f32, most: f32) -> f32 {
    return clamp(way, 0.3 * radius, most * radius);
}

// How far something goes in so many substeps, if it falls [m].
fn way_ahead(speed: f32, substeps: f32) -> f32 {
    let time = substeps * params.substep_dt;
    return (speed + 0.5 * length(params.gravity) * time) * time;
}
