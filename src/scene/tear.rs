//! Cloth that tears: edges along which it parts for good once it is stretched too far.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::Deformable;
use super::check::{Check, number};
use crate::constraints::Row;

/// Most triangles at an edge that can break, and most bending constraints about it.
const MOST_FACES: usize = 4;
const MOST_BENDS: usize = 3;

/// An edge along which cloth parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tear {
    /// Its distance constraint, of which each side has a half once it has parted: index into [`super::Scene::constraints`].
    pub constraint: u32,
    /// Strain at which one of its ends splits [dimensionless].
    pub strain: f32,
    /// Bending constraints about the edge, which stop acting where it parts.
    pub bends: Vec<u32>,
    /// Triangles on both sides, which stay: indices into [`super::Scene::triangles`]. An edge of one or of more than two does not part.
    pub faces: Vec<u32>,
}

impl Tear {
    /// Whether it has no more triangles and bending constraints than there is room for.
    pub(super) fn check_room(&self, item: &str) -> Check {
        let (faces, bends) = (self.faces.len(), self.bends.len());
        number(item, "number of triangles", faces as f32, faces <= MOST_FACES, "at most 4")?;
        number(item, "number of bending constraints", bends as f32, bends <= MOST_BENDS, "at most 3")
    }
}

fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

impl Deformable {
    /// Its edges that break; constraints and triangles count from 0 here. Edges of more than four triangles hold.
    pub(super) fn tears(&self) -> Vec<Tear> {
        let Some(strain) = self.tearing else { return Vec::new() };
        let mut faces: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
        for ([a, b, c], index) in self.faces.iter().zip(0..) {
            for (p, q) in [(a, b), (b, c), (c, a)] {
                faces.entry(sorted(*p, *q)).or_default().push(index);
            }
        }
        let mut bends: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
        for (row, index) in self.constraints.iter().zip(0..) {
            if row.bends() {
                bends.entry(sorted(row.particles[0], row.particles[1])).or_default().push(index);
            }
        }
        let tear = |(row, constraint): (&Row, u32)| {
            let edge = sorted(row.particles[0], row.particles[1]);
            let own = faces.get(&edge).filter(|f| row.stretch().is_some() && f.len() <= MOST_FACES)?;
            let bends = bends.get(&edge).map_or(Vec::new(), |b| b.iter().copied().take(MOST_BENDS).collect());
            Some(Tear { constraint, strain, bends, faces: own.clone() })
        };
        self.constraints.iter().zip(0..).filter_map(tear).collect()
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::scene::{Scene, SheetGrid, SheetMaterial};

    #[test]
    fn every_edge_of_a_sheet_can_break() {
        let grid = SheetGrid::square(4, 1.0);
        let mut sheet =
            Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.01, &SheetMaterial::default()).unwrap();
        sheet.tearing = Some(0.2);
        let mut scene = Scene::default();
        for x in [0.0, 2.0] {
            scene.add_deformable(&sheet, Vec3::X * x, Quat::IDENTITY, Vec3::ZERO).unwrap();
        }
        let edges = sheet.constraints.iter().filter(|row| row.stretch().is_some()).count();
        assert_eq!(scene.tears.len(), 2 * edges);
        for tear in &scene.tears {
            let edge = &scene.constraints[tear.constraint as usize].particles[..2];
            assert!((1..=2).contains(&tear.faces.len()) && tear.bends.len() + 1 == tear.faces.len());
            assert!(tear.faces.iter().all(|f| edge.iter().all(|p| scene.triangles[*f as usize].contains(p))));
            assert!(tear.bends.iter().all(|b| scene.constraints[*b as usize].particles[..2] == *edge));
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
        assert!(refused(&sheet).contains("deformable `sheet`: tethers would hold what is torn off"));
    }
}
