//! Counts constraints, for tests that compare scenes with published ones.

use crate::constraints::{Partition, Partitioned, Row, validate_coloring};
use crate::scene::Scene;

/// Constraints of one meaning and the colors they need alone, for tests; checks that no color moves a particle twice.
pub(super) fn count(scene: &Scene, meant: fn(&Row) -> bool) -> (usize, u32) {
    let rows: Vec<Row> = scene.constraints.iter().filter(|row| meant(row)).copied().collect();
    let divided = Partitioned::new(&rows, scene.particles.len(), |_| false, Partition::Colors);
    let mut colors = vec![0; rows.len()];
    for (range, color) in divided.color_starts.windows(2).zip(0..) {
        divided.order[range[0] as usize..range[1] as usize].iter().for_each(|i| colors[*i as usize] = color);
    }
    validate_coloring(&colors, scene.particles.len(), |i| rows[i].joined()).unwrap();
    (rows.len(), divided.colors())
}
