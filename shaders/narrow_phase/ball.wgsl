#import "common/body"
#import "common/grid"
#import "common/shape"
// Bodies that are balls. They would roll over their particles as polyhedra do, so what is solid meets the ball itself: of its particles
// in a proxy the first stands for it, against what that proxy is the first of its own to list. The including kernel declares `params`
// and `shapes`.

// A ball looks into all cells of a mesh that are around it: larger ones meet meshes by their particles [cells].
const MOST_MESH_CELLS: f32 = 4.0;

// Whether some body is a ball.
override ROLLS: bool = false;

fn is_of_ball(row: ParticleRow) -> bool {
    return ROLLS && (row.phase & PHASE_BALL) != 0u && params.balls_roll != 0u;
}

fn stands_for_ball(row: ParticleRow) -> bool {
    return row.finest >= 0.0;
}

fn ball_radius(row: ParticleRow) -> f32 {
    return row.friction;
}

// Whether the distance of a shape is exact as far away as the middle of the ball is, and not too dear.
fn rolls_over(row: ParticleRow, shape: u32) -> bool {
    if is_of(shape, SHAPE_MESH) {
        return ball_radius(row) <= MOST_MESH_CELLS * bitcast<f32>(shapes[4u * shape + 2u].w);
    }
    return !is_of(shape, SHAPE_GRID);
}
