#import "constraints/level"
// How far lengths of levels give way. The including kernel declares `constraint_words`, `params` and `level_pulls`.

// α / h² [N/m inverse, over s²].
fn level_softness(soft: Softness) -> f32 {
    if soft.word == NONE {
        return 0.0;
    }
    var held = constraint_words[soft.word];
    if (held & OWN_NUMBERS) != 0u {
        held = constraint_words[(held & ~OWN_NUMBERS) + soft.row];
    }
    return soft.factor * bitcast<f32>(held) / (params.substep_dt * params.substep_dt);
}

// Multiplier of a length that gives way by as much strain as its parent has gained: so what the coarse level bears, the finer one
// bears too, and does not draw together again.
fn level_inherited(parent: u32, length: f32, softness: f32) -> f32 {
    if parent == NONE || softness <= 0.0 {
        return 0.0;
    }
    return -level_pulls[parent].gained * length / softness;
}
