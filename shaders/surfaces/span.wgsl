// For how long the last search of surfaces counts [s]. The including kernel declares `surface_list`.

fn search_time() -> f32 {
    return surface_list.span;
}
