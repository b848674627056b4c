//! Errors of lengths and volumes, from positions alone.

use glam::DVec3;

use super::Snapshot;
use crate::constraints::Row;
use crate::scene::Scene;

/// Relative stretch of every distance constraint: length over rest length, less 1. One-sided ones count only when longer.
pub fn stretches<'a>(scene: &'a Scene, state: &'a Snapshot) -> impl Iterator<Item = f64> + 'a {
    scene.constraints.iter().filter_map(Row::stretch).filter(|kept| kept.rest_length > 0.0).map(|kept| {
        let [a, b] = kept.particles.map(|p| state.particles[p as usize].as_dvec3());
        let stretch = a.distance(b) / f64::from(kept.rest_length) - 1.0;
        if kept.tension_only { stretch.max(0.0) } else { stretch }
    })
}

/// Relative error of the volume of every deformable object that has tetrahedra.
pub fn volume_errors<'a>(scene: &'a Scene, state: &'a Snapshot) -> impl Iterator<Item = f64> + 'a {
    scene.deformables.iter().filter_map(|extent| {
        let rows = &scene.constraints[extent.first_constraint as usize..][..extent.constraint_count as usize];
        let (mut rest, mut now) = (0.0, 0.0);
        for row in rows {
            if let Some(volume) = row.rest_volume() {
                // Corners may be numbered either way round.
                rest += volume.abs();
                now += volume.signum() * current_volume(row, state);
            }
        }
        (rest != 0.0).then(|| now / rest - 1.0)
    })
}

fn current_volume(row: &Row, state: &Snapshot) -> f64 {
    let x: [DVec3; 4] = row.particles.map(|p| state.particles[p as usize].as_dvec3());
    (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6.0
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::scene::{Deformable, SoftMaterial, SoftModel};

    #[test]
    fn a_body_grown_by_a_tenth_is_seen_by_both() {
        let rest = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE];
        let tetrahedra = [[0, 1, 2, 3], [1, 2, 3, 4]];
        let springs = SoftModel::Springs { stretch: 0.0, bulk: f32::INFINITY };
        for model in [springs, SoftMaterial::default().model] {
            let material = SoftMaterial { model, ..SoftMaterial::default() };
            let body = Deformable::soft("body", rest.clone(), &tetrahedra, 0.1, &material).unwrap();
            let mut scene = Scene::default();
            scene.add_deformable(&body, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
            let mut state = Snapshot::start(&scene);
            let errors: Vec<f64> = volume_errors(&scene, &state).collect();
            assert!(errors.len() == 1 && errors[0].abs() < 1e-6, "{errors:?}");
            state.particles.iter_mut().for_each(|p| *p *= 1.1);
            let error = volume_errors(&scene, &state).next().unwrap();
            assert!((error - 0.331).abs() < 1e-5, "{error}");
            let all: Vec<f64> = stretches(&scene, &state).collect();
            assert_eq!(all.len(), if model == springs { 9 } else { 0 });
            assert!(all.iter().all(|s| (s - 0.1).abs() < 1e-6), "{all:?}");
        }
    }
}
