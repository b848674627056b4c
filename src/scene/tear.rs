//! Cloth that tears: edges along which it parts permanently once it is stretched too far.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::Deformable;
use crate::constraints::Row;

/// An edge along which cloth parts; one of more than two triangles is kept together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tear {
    /// Its distance constraint, of which each side has a half once it has parted: index into [`super::Scene::constraints`].
    pub constraint: u32,
    /// Strain at which one of its ends splits [dimensionless].
    pub strain: f32,
}

/// An edge, the lower particle first.
pub(super) fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

impl Deformable {
    /// Its edges that break; constraints count from 0 here.
    pub(super) fn tears(&self) -> Vec<Tear> {
        let Some(strain) = self.tearing else { return Vec::new() };
        let edges = self.faces.iter().flat_map(|[a, b, c]| [sorted(*a, *b), sorted(*b, *c), sorted(*c, *a)]);
        let edges: HashSet<[u32; 2]> = edges.collect();
        let is_edge =
            |row: &Row| row.stretch().is_some() && edges.contains(&sorted(row.particles[0], row.particles[1]));
        let rows = self.constraints.iter().zip(0..).filter(|(row, _)| is_edge(row));
        rows.map(|(_, constraint)| Tear { constraint, strain }).collect()
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::constraints::ShapeMatching;
    use crate::scene::{Scene, SheetGrid, SheetMaterial};

    #[test]
    fn every_edge_of_a_sheet_can_break() {
        let grid = SheetGrid::square(4, 1.0);
        let mut sheet =
            Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.01, &SheetMaterial::default()).unwrap();
        sheet.tearing = Some(0.2);
        let mut scene = Scene::default();
        sheet.join_global(&ShapeMatching::of(&sheet.rest, 0.1)).unwrap();
        sheet.damping = 3.0;
        for x in [0.0, 2.0] {
            scene.add_deformable(&sheet, Vec3::X * x, Quat::IDENTITY, Vec3::new(x, 1.0, 0.5)).unwrap();
        }
        let edges = sheet.constraints.iter().filter(|row| row.stretch().is_some()).count();
        assert_eq!(scene.tears.len(), 2 * edges);
        for tear in &scene.tears {
            let edge = &scene.constraints[tear.constraint as usize].particles[..2];
            let faces = scene.triangles.iter().filter(|face| edge.iter().all(|p| face.contains(p)));
            assert!((1..=2).contains(&faces.count()), "{edge:?}");
        }
        // One vertex of the second sheet splits: two of its triangles take a spare.
        let spare = scene.deformables[1].spares().start;
        let root = sheet.rest.len() as u32 + scene.deformables[0].spare_count + 5;
        let mut triangles = scene.triangles.clone();
        let fan: Vec<usize> = (0..triangles.len()).filter(|t| triangles[*t].contains(&root)).collect();
        for triangle in &fan[..2] {
            triangles[*triangle].iter_mut().filter(|corner| **corner == root).for_each(|corner| *corner = spare);
        }
        let parted = scene.parted(&triangles);
        let mass = |scene: &Scene| scene.particles.iter().map(|p| f64::from(p.mass)).sum::<f64>();
        assert!((mass(&parted) / mass(&scene) - 1.0).abs() < 1e-6 && parted.particles[spare as usize].mass > 0.0);
        let rows = |particle: u32| parted.constraints.iter().filter(|row| row.joined().contains(&particle)).count();
        assert!(rows(spare) >= 3 && parted.constraints.len() > scene.constraints.len(), "both sides have their edges");
        let both = |row: &Row| row.joined().contains(&spare) && row.joined().contains(&root);
        assert!(!parted.constraints.iter().any(both), "nothing joins the copies");
        // The copy starts as the whole one did; the first sheet is what it was.
        let [copy, whole] = [spare, root].map(|i| &parted.particles[i as usize]);
        assert_eq!((copy.position, copy.velocity, copy.radius), (whole.position, whole.velocity, whole.radius));
        assert_eq!(whole.velocity, Vec3::new(2.0, 1.0, 0.5));
        assert_eq!(parted.global_constraints.len(), 1, "what needs the second sheet whole is left out");
        assert!(parted.global_constraints[0].joined().all(|i| i < 16));
        assert_eq!([0, 1].map(|i: usize| parted.deformables[i].damping), [3.0, 0.0]);
        parted.validate().unwrap();
        // Where nothing has torn, nothing is left out.
        let whole = scene.parted(&scene.triangles);
        assert_eq!(whole.global_constraints.len(), 2);
        assert_eq!((whole.constraints.len(), whole.deformables[1].damping), (scene.constraints.len(), 3.0));
    }

    #[test]
    fn faults_are_named() {
        let grid = SheetGrid::square(4, 1.0);
        let mut sheet =
            Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.01, &SheetMaterial::default()).unwrap();
        let refused = |sheet: &Deformable| {
            Scene::default().add_deformable(sheet, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap_err().to_string()
        };
        sheet.tearing = Some(0.0);
        assert!(refused(&sheet).contains("strain at which it tears is 0"));
        sheet.tearing = Some(0.3);
        let mut scene = Scene::default();
        scene.add_deformable(&sheet, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        scene.params.partition = crate::constraints::Partition::Phantom(3);
        assert!(scene.check().unwrap_err().to_string().contains("must be auto or colors"));
        sheet.pin(|at| at.z < -0.49);
        sheet.tether(0.0, 0.0).unwrap();
        assert!(refused(&sheet).contains("deformable `sheet`: tethers would hold what tears off"));
    }
}
