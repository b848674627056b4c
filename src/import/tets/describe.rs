//! What a soft body is made of, as text.

use std::fmt::Write as _;

use glam::Vec3;

use super::{SoftPlan, volume};

impl SoftPlan {
    /// Particles, tetrahedra, masses and volumes, how good the tetrahedra are, and what was mended or left out; a line each.
    pub fn describe(&self) -> String {
        let Self { object, mesh, shell, warnings } = self;
        let quality = mesh.quality();
        let mass: f32 = object.masses.iter().sum();
        let vertices: usize = shell.model.primitives.iter().map(|part| part.positions.len()).sum();
        let triangles: usize = shell.model.primitives.iter().map(|part| part.indices.len() / 3).sum();
        let smallest = (0..mesh.tets.len()).map(|tet| volume(mesh.corners(tet))).fold(f64::MAX, f64::min);
        let enclosed = self.enclosed();
        let share = if enclosed > 0.0 { format!(", {:.0} %", 100.0 * mesh.volume() / enclosed) } else { String::new() };
        let lines = [
            ("particles", format!("{} of radius {:.4} m", mesh.positions.len(), object.radius())),
            ("tetrahedra", format!("{}, edges of {:.4} m in the mean", mesh.tets.len(), mesh.mean_edge())),
            ("constraints", object.constraints.len().to_string()),
            ("mass", format!("{mass:.3} kg")),
            ("volume", format!("{:.6} m³ of {enclosed:.6} m³ inside the skin{share}", mesh.volume())),
            ("smallest tetrahedron", format!("{smallest:.3e} m³")),
            (
                "angles between faces",
                format!(
                    "{:.1}° to {:.1}°, the least of each {:.1}° in the mean, {:.1} % below 10°",
                    quality.least,
                    quality.largest,
                    quality.mean_least,
                    100.0 * quality.thin
                ),
            ),
            ("skin", format!("{vertices} vertices, {triangles} triangles, {} points", shell.points.len())),
        ];
        let mut text = format!("{}: soft\n", object.name);
        for (what, value) in lines {
            let _ = writeln!(text, "  {what:<22}{value}");
        }
        for warning in warnings {
            let _ = writeln!(text, "  warning: {warning}");
        }
        text
    }

    /// Volume inside the skin [m³]; what a skin with holes encloses is not well defined, but near.
    fn enclosed(&self) -> f32 {
        let parts = self.shell.model.primitives.iter();
        let corners = parts.flat_map(|part| {
            part.indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]].map(|i| part.positions[i as usize]))
        });
        // About a point of it, so that nothing is lost to rounding far from the origin.
        let about = self.mesh.positions.first().copied().unwrap_or(Vec3::ZERO);
        let sum: f64 = corners.map(|[a, b, c]| f64::from((a - about).dot((b - about).cross(c - about)) / 6.0)).sum();
        sum.abs() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Resolution, soft_body};
    use crate::scene::{Shape, SoftMaterial, primitive_model};

    #[test]
    fn a_cube_is_described() {
        let model = primitive_model(&Shape::Cuboid(glam::Vec3::splat(0.5)));
        let plan = soft_body(&model, Resolution::Count(500), &SoftMaterial::default()).unwrap();
        assert!((plan.enclosed() - 1.0).abs() < 1e-4, "{}", plan.enclosed());
        let text = plan.describe();
        for part in ["soft", "tetrahedra", "of 1.000000 m³", "angles between faces", "12 triangles", "kg"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(text.contains(&format!("{} of radius", plan.mesh.positions.len())));
    }
}
