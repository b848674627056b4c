//! Meshes that follow particles: where their points are in a frame.

use std::collections::HashMap;
use std::sync::Arc;

use glam::Vec3;

use super::form::{Form, Part};
use super::tube;
use crate::scene::{Anchor, Scene, SurfaceMesh, Tube, is_stored};

/// How the points of a mesh follow particles.
#[derive(Clone, Debug)]
pub(super) enum Follows {
    /// A shell of a surface.
    Shell(SurfaceMesh),
    /// A surface that tears: what each corner hangs on.
    Corners { surface: SurfaceMesh, corners: Vec<Corner> },
    /// A rope.
    Tube(Tube),
}

/// A corner of a triangle of a surface that tears.
#[derive(Clone, Copy, Debug)]
pub(super) enum Corner {
    /// A corner of a triangle of the scene, which may get another particle.
    Of { triangle: u32, corner: usize },
    /// A point of the shell.
    Point(u32),
}

impl Follows {
    /// How a surface of a scene is followed: by corners where its triangles may tear.
    pub(super) fn surface(scene: &Scene, surface: &SurfaceMesh) -> (Self, Form) {
        let shell = &*surface.shell;
        let torn: std::collections::HashSet<u32> = scene
            .tears
            .iter()
            .flat_map(|tear| scene.constraints[tear.constraint as usize].particles[..2].to_vec())
            .collect();
        let hangs = |anchor: &Anchor| anchor.particles.iter().any(|i| torn.contains(&(surface.first_particle.0 + i)));
        let corners = !torn.is_empty() && shell.points.iter().any(hangs);
        let parts = shell.model.primitives.iter().zip(&shell.vertex_points).map(|(part, points)| {
            let material = shell.model.materials[part.material].clone();
            let (uvs, colors, indices) = (part.uvs.clone(), part.colors.clone(), part.indices.clone());
            Part { material, uvs, colors, indices, points: points.clone() }
        });
        let mut form = Form {
            name: shell.model.name.clone(),
            parts: parts.collect(),
            shell: Some(Arc::clone(&surface.shell)),
            tint: surface.tint,
            corners,
        };
        if !corners {
            return (Self::Shell(surface.clone()), form);
        }
        let found = split(scene, surface, &mut form);
        (Self::Corners { surface: surface.clone(), corners: found }, form)
    }

    /// A rope or rod.
    pub(super) fn tube(tube: Tube) -> (Self, Form) {
        (Self::Tube(tube), tube::form(&tube))
    }

    /// Whether it follows this surface, as it is now: a blade gives what it parts another shell.
    pub(super) fn is_surface(&self, surface: &SurfaceMesh) -> bool {
        let (Self::Shell(own) | Self::Corners { surface: own, .. }) = self else { return false };
        Arc::ptr_eq(&own.shell, &surface.shell) && own.first_particle == surface.first_particle
    }

    /// Whether it follows this rope or rod.
    pub(super) fn is_tube(&self, tube: &Tube) -> bool {
        matches!(self, Self::Tube(own) if own == tube)
    }

    /// Where the points are [m]; none while it is kept in a pool. `triangles` are those of the scene as it has torn.
    pub(super) fn places(&self, positions: &[Vec3], triangles: &[[u32; 3]]) -> Option<Vec<Vec3>> {
        let on =
            |surface: &SurfaceMesh, anchor: &Anchor| anchor.position(&positions[surface.first_particle.0 as usize..]);
        let places: Vec<Vec3> = match self {
            Self::Shell(surface) => surface.shell.points.iter().map(|anchor| on(surface, anchor)).collect(),
            Self::Tube(tube) => tube::places(tube, positions),
            Self::Corners { surface, corners } => {
                let place = |corner: &Corner| match corner {
                    Corner::Of { triangle, corner } => positions[triangles[*triangle as usize][*corner] as usize],
                    Corner::Point(point) => on(surface, &surface.shell.points[*point as usize]),
                };
                corners.iter().map(place).collect()
            }
        };
        places.iter().all(|place| place.is_finite() && !is_stored(*place)).then_some(places)
    }
}

/// Makes each corner of a triangle a point of its own, and says what it hangs on.
fn split(scene: &Scene, surface: &SurfaceMesh, form: &mut Form) -> Vec<Corner> {
    let sorted = |mut three: [u32; 3]| {
        three.sort_unstable();
        three
    };
    let known: HashMap<[u32; 3], u32> = scene.triangles.iter().zip(0..).map(|(t, i)| (sorted(*t), i)).collect();
    let particle = |point: u32| {
        let anchor = &surface.shell.points[point as usize];
        (anchor.weights[0] == 1.0).then(|| surface.first_particle.0 + anchor.particles[0])
    };
    let mut corners = Vec::new();
    for part in &mut form.parts {
        let old = std::mem::take(&mut part.indices);
        part.uvs = old.iter().filter_map(|i| part.uvs.get(*i as usize).copied()).collect();
        part.colors = old.iter().filter_map(|i| part.colors.get(*i as usize).copied()).collect();
        let first = corners.len() as u32;
        for triangle in old.as_chunks::<3>().0 {
            let points = triangle.map(|vertex| part.points[vertex as usize]);
            let particles = points.map(particle);
            let whole = particles.map(|p| p.unwrap_or(u32::MAX));
            let face = known.get(&sorted(whole)).copied();
            corners.extend(points.iter().zip(whole).map(|(point, particle)| {
                let corner = face
                    .and_then(|face| Some((face, scene.triangles[face as usize].iter().position(|p| *p == particle)?)));
                corner.map_or(Corner::Point(*point), |(triangle, corner)| Corner::Of { triangle, corner })
            }));
        }
        part.points = (first..corners.len() as u32).collect();
        part.indices = (0..old.len() as u32).collect();
    }
    corners
}
