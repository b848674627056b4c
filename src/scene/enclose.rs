//! Pressure inside objects that were made without it.

use glam::Vec3;

use super::cut::{Blade, Mesh};
use super::{DeformableId, Scene, SceneError};
use crate::constraints::Pressure;

impl Scene {
    /// Lets an object keep the volume that it has at rest: flesh that inside its outermost tetrahedra, a mesh that inside its triangles.
    ///
    /// # Errors
    /// [`SceneError`] for what encloses nothing, is of a pool or tears.
    pub(crate) fn enclose(&mut self, object: DeformableId) -> Result<(), SceneError> {
        let extent = &self.deformables[object.0 as usize];
        let item = || format!("deformable `{}`", extent.name);
        if let Some(why) = self.bound_to_stay(object.0 as usize) {
            return Err(SceneError::Encloses(item(), why));
        }
        let rest: Vec<Vec3> = self.particles.iter().map(|p| p.position).collect();
        let mesh = Mesh::new(self, extent, &Blade::default(), &rest);
        let faces: Vec<[u32; 3]> = if mesh.is_solid() {
            let border = mesh.border().into_iter();
            border.map(|(facet, element)| mesh.turned_out(element, facet, |p| rest[p as usize])).collect()
        } else {
            mesh.elements.iter().map(|corners| [corners[0], corners[1], corners[2]]).collect()
        };
        if faces.is_empty() {
            return Err(SceneError::Encloses(
                item(),
                "it has no surface; inflate balloons, other closed meshes and flesh",
            ));
        }
        if !mesh.is_solid() && !mesh.border().is_empty() {
            return Err(SceneError::Encloses(
                item(),
                "its surface is open; inflate balloons, other closed meshes and flesh",
            ));
        }
        self.add_global_constraint(&Pressure::inside(&faces, &rest, 1.0, 0.0)).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::scene::{Deformable, RopeMaterial, SheetGrid, SheetMaterial, SoftMaterial};

    #[test]
    fn flesh_encloses_its_tetrahedra_and_a_sheet_nothing() {
        let mut scene = Scene::default();
        // Two tetrahedra with a face in common: of eight faces six are outside.
        let rest = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE];
        let flesh =
            Deformable::soft("flesh", rest, &[[0, 1, 2, 3], [1, 2, 3, 4]], 0.05, &SoftMaterial::default()).unwrap();
        let at = Vec3::new(3.0, 1.0, -2.0);
        let id = scene.add_deformable(&flesh, at, Quat::from_rotation_y(0.7), Vec3::ZERO).unwrap();
        scene.enclose(id).unwrap();
        let row = &scene.global_constraints[0];
        assert_eq!(row.members.iter().map(|member| member.corners.len()).sum::<usize>(), 18);
        assert!((row.values[0] - 0.5).abs() < 1e-5, "1/6 and 1/3: {}", row.values[0]);

        let grid = SheetGrid::square(4, 1.0);
        let sheet = Deformable::sheet("towel", grid.positions(), &grid.triangles(), 0.01, &SheetMaterial::default());
        let points = (0..4).map(|i| 0.1 * i as f32 * Vec3::X).collect();
        let rope = Deformable::rope("rope", points, 0.02, &RopeMaterial::default());
        for (object, name, why) in
            [(sheet.unwrap(), "`towel`", "its surface is open"), (rope.unwrap(), "`rope`", "it has no surface")]
        {
            let id = scene.add_deformable(&object, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
            let error = scene.enclose(id).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(why), "{error}");
        }
        assert_eq!(scene.global_constraints.len(), 1);
    }
}
