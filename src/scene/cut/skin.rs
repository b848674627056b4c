//! The skin of an object that a blade has cut: each triangle goes with one element, and flesh shows its inside.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::{Mat3, Vec3};

use super::inside::Inside;
use super::mesh::Mesh;
use super::refine::refine;
use crate::scene::{Anchor, Material, Primitive, Shell, SurfaceMesh};

/// So many elements away what a triangle hangs on may be: as many as can lie around a corner. Farther away is the other side of a slit.
const STEPS: usize = 8;
/// Longest edge of a skin that is cut, over that of what is in it.
const FINE: f32 = 0.6;
/// Least cosine between the ways out at a corner of flesh: sharper ones would stick out.
const LEAST_OUT: f32 = 0.4;

/// A skin that is being parted.
pub(super) struct Skin<'a> {
    mesh: &'a Mesh,
    /// Where particles start, and how large they are [m]; copies come last.
    rest: &'a [(Vec3, f32)],
    /// What the surface calls 0.
    first: u32,
    near: BTreeSet<u32>,
    shell: Shell,
    points: BTreeMap<(u32, [u32; 4], [u32; 4]), u32>,
    /// Elements on which points hang that lost their own.
    alone: BTreeMap<u32, Vec<usize>>,
    reached: BTreeMap<usize, (BTreeSet<usize>, BTreeMap<u32, usize>)>,
}

/// Parts a surface, and adds these facets that the blade has laid open.
pub(super) fn part_surface(mesh: &Mesh, rest: &[(Vec3, f32)], surface: &mut SurfaceMesh, open: &[([u32; 3], usize)]) {
    let mut skin = Skin {
        mesh,
        rest,
        first: surface.first_particle.0,
        near: mesh.neighborhood(),
        shell: Shell::clone(&surface.shell),
        points: BTreeMap::new(),
        alone: BTreeMap::new(),
        reached: BTreeMap::new(),
    };
    if mesh.is_solid() {
        let (first, starts) = (skin.first as usize, rest.iter().map(|(at, _)| *at).collect::<Vec<_>>());
        let longest = FINE * skin.spacing();
        let inside = Inside::new(mesh, |p| starts[p as usize]);
        let anchor = |at: Vec3| anchor(mesh, rest, surface.first_particle.0, (inside.element(at), at));
        refine(&mut skin.shell, &starts[first..], longest, anchor);
    }
    for part in 0..skin.shell.model.primitives.len() {
        skin.part(part);
    }
    skin.show_inside(open);
    surface.shell = Arc::new(skin.shell);
}

/// What a place at rest [m] follows: the tetrahedron that it is in, or is least far out of.
fn anchor(mesh: &Mesh, rest: &[(Vec3, f32)], first: u32, (element, at): (usize, Vec3)) -> Anchor {
    let mut particles = [0; 4];
    particles.iter_mut().zip(&mesh.elements[element]).for_each(|(slot, p)| *slot = p - first);
    Anchor { particles, weights: weights(mesh, rest, element, at) }
}

/// Of a place in an element, or beside it; of a triangle the last one is 0.
fn weights(mesh: &Mesh, rest: &[(Vec3, f32)], element: usize, at: Vec3) -> [f32; 4] {
    let corner = |i: usize| rest[mesh.elements[element][i] as usize].0;
    let [a, u, v] = [corner(0), corner(1) - corner(0), corner(2) - corner(0)];
    let last = if mesh.elements[element].len() == 4 { corner(3) - a } else { u.cross(v) };
    let frame = Mat3::from_cols(u, v, last);
    if frame.determinant().abs() < f32::MIN_POSITIVE {
        return [1.0, 0.0, 0.0, 0.0];
    }
    let w = frame.inverse() * (at - a);
    let w = if mesh.elements[element].len() == 4 { w } else { w.with_z(0.0) };
    [1.0 - w.x - w.y - w.z, w.x, w.y, w.z]
}

fn used(anchor: &Anchor) -> impl Iterator<Item = u32> + Clone {
    anchor.particles.into_iter().zip(anchor.weights).filter(|(_, weight)| *weight != 0.0).map(|(p, _)| p)
}

impl Skin<'_> {
    /// Mean length of the edges of elements at rest [m].
    fn spacing(&self) -> f32 {
        let at = |p: u32| self.rest[p as usize].0;
        let edges =
            || self.mesh.elements.iter().flat_map(|e| e.windows(2).map(|ends| at(ends[0]).distance(at(ends[1]))));
        edges().sum::<f32>() / edges().count().max(1) as f32
    }

    /// Particles of a point, as the scene counts them.
    fn particles(&self, point: u32) -> impl Iterator<Item = u32> + Clone {
        let first = self.first;
        used(&self.shell.points[point as usize]).map(move |p| p + first)
    }

    fn place(&self, point: u32) -> Vec3 {
        let anchor = &self.shell.points[point as usize];
        let at = |p: &u32| self.rest[(self.first + p) as usize].0;
        anchor.particles.iter().zip(anchor.weights).map(|(p, weight)| at(p) * weight).sum()
    }

    /// Lets each triangle of a part that is near the blade go with its element.
    fn part(&mut self, part: usize) {
        let indices = self.shell.model.primitives[part].indices.clone();
        let mut vertices: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for (t, triangle) in indices.as_chunks::<3>().0.iter().enumerate() {
            let points = triangle.map(|vertex| self.shell.vertex_points[part][vertex as usize]);
            if !points.iter().any(|point| self.particles(*point).any(|p| self.near.contains(&p))) {
                continue;
            }
            let Some(element) = self.element_of(points) else { continue };
            for (k, (vertex, point)) in triangle.iter().zip(points).enumerate() {
                let now = self.moved(point, element);
                if now == point {
                    continue;
                }
                let copy = *vertices.entry((*vertex, now)).or_insert_with(|| {
                    self.shell.vertex_points[part].push(now);
                    self.shell.model.primitives[part].repeat(*vertex)
                });
                self.shell.model.primitives[part].indices[3 * t + k] = copy;
            }
        }
    }

    /// The element that a triangle lies in or is nearest to; none of what is on no element.
    fn element_of(&self, points: [u32; 3]) -> Option<usize> {
        let center = points.iter().map(|point| self.place(*point)).sum::<Vec3>() / 3.0;
        let own: BTreeSet<u32> = points.iter().flat_map(|point| self.particles(*point)).collect();
        let around: BTreeSet<usize> = own.iter().filter_map(|p| self.mesh.at.get(p)).flatten().copied().collect();
        let fit = |element: usize| {
            let corners = &self.mesh.elements[element];
            // What has all of its particles is meant, however near another one is.
            let held = if own.iter().all(|p| corners.contains(p)) { 1.0e6 } else { 0.0 };
            let inside = weights(self.mesh, self.rest, element, center).into_iter().fold(f32::MAX, f32::min);
            let middle = corners.iter().map(|p| self.rest[*p as usize].0).sum::<Vec3>() / corners.len() as f32;
            held + if self.mesh.is_solid() { inside } else { -middle.distance(center) }
        };
        around.into_iter().max_by(|a, b| fit(*a).total_cmp(&fit(*b)))
    }

    /// A point as seen from an element: on copies of the particles where it hangs on others of its side, else on the element alone.
    fn moved(&mut self, point: u32, element: usize) -> u32 {
        let old = self.shell.points[point as usize];
        let mesh = self.mesh;
        let (side, near) = self.reached.entry(element).or_insert_with(|| mesh.reached(element, STEPS));
        let first = self.first;
        let image = |p: u32| near.get(&(p + first)).map(|e| mesh.image(*e, p + first) - first);
        let some = used(&old).next().and_then(image);
        let anchor = if used(&old).all(|p| image(p).is_some()) {
            let held = |(p, weight): (&u32, f32)| if weight == 0.0 { None } else { image(*p) };
            let mut particles = old.particles;
            let slots = particles.iter_mut().zip(old.particles.iter().zip(old.weights));
            slots.for_each(|(slot, own)| *slot = held(own).or(some).unwrap_or(*slot));
            Anchor { particles, ..old }
        } else {
            // All triangles of this side hang on one element there, so that nothing gapes between them.
            let known = self.alone.entry(point).or_default();
            let own = known.iter().copied().find(|other| side.contains(other)).unwrap_or_else(|| {
                known.push(element);
                element
            });
            self.on_element(own, self.place(point))
        };
        // What has no weight may stay what it was.
        if used(&old).eq(used(&anchor)) && old.weights == anchor.weights {
            return point;
        }
        self.add(point, anchor)
    }

    fn on_element(&self, element: usize, at: Vec3) -> Anchor {
        let corners = &self.mesh.elements[element];
        let mut particles = [self.mesh.image(element, corners[0]) - self.first; 4];
        let slots = particles.iter_mut().zip(corners);
        slots.for_each(|(slot, corner)| *slot = self.mesh.image(element, *corner) - self.first);
        Anchor { particles, weights: weights(self.mesh, self.rest, element, at) }
    }

    /// The point that hangs so, once for all who look alike from `point`.
    fn add(&mut self, point: u32, anchor: Anchor) -> u32 {
        let points = &mut self.shell.points;
        *self.points.entry((point, anchor.particles, anchor.weights.map(f32::to_bits))).or_insert_with(|| {
            points.push(anchor);
            points.len() as u32 - 1
        })
    }

    /// Adds the facets that the blade has laid open, of both sides.
    fn show_inside(&mut self, open: &[([u32; 3], usize)]) {
        if open.is_empty() {
            return;
        }
        let out = self.ways_out();
        let part = self.inner_part();
        let mut known: BTreeMap<u32, u32> = BTreeMap::new();
        for (facet, element) in open {
            for corner in facet {
                let image = self.mesh.image(*element, *corner);
                let vertex = *known.entry(image).or_insert_with(|| {
                    let at = self.rest[*corner as usize].0 + out.get(corner).copied().unwrap_or_default();
                    let anchor = match out.get(corner) {
                        Some(_) => self.on_element(*element, at),
                        None => Anchor::on(image - self.first),
                    };
                    self.shell.vertex_points[part].push(self.shell.points.len() as u32);
                    self.shell.points.push(anchor);
                    let part = &mut self.shell.model.primitives[part];
                    part.positions.push(at);
                    part.normals.push(Vec3::Y);
                    part.positions.len() as u32 - 1
                });
                self.shell.model.primitives[part].indices.push(vertex);
            }
        }
    }

    /// The part of the inside: that of a cut before, or a new one.
    fn inner_part(&mut self) -> usize {
        let model = &mut self.shell.model;
        let looks = model.materials.first().cloned().unwrap_or_default();
        let looks = Material {
            base_color: looks.base_color,
            roughness: looks.roughness,
            double_sided: true,
            ..Material::default()
        };
        let bare = |part: &Primitive| part.uvs.is_empty() && part.colors.is_empty() && part.influences.is_empty();
        let own = |part: &Primitive| bare(part) && part.normals.len() == part.positions.len() && part.material > 0;
        let inner = |part: &Primitive| own(part) && model.materials.get(part.material) == Some(&looks);
        if let Some(part) = model.primitives.iter().rposition(inner) {
            return part;
        }
        model.primitives.push(Primitive { material: model.materials.len(), ..Primitive::default() });
        model.materials.push(looks);
        self.shell.vertex_points.push(Vec::new());
        model.primitives.len() - 1
    }

    /// From each particle at the border of flesh to its skin [m].
    fn ways_out(&self) -> BTreeMap<u32, Vec3> {
        let mut normals: BTreeMap<u32, Vec<Vec3>> = BTreeMap::new();
        for (facet, element) in self.mesh.border() {
            let normal = self.mesh.outward(element, facet, |p| self.rest[p as usize].0);
            facet.iter().for_each(|corner| normals.entry(*corner).or_default().push(normal));
        }
        let way = |(corner, normals): (u32, Vec<Vec3>)| {
            let mean = normals.iter().sum::<Vec3>().normalize_or_zero();
            let least = normals.iter().map(|normal| normal.dot(mean)).fold(1.0, f32::min).max(LEAST_OUT);
            (corner, mean * self.rest[corner as usize].1 / least)
        };
        normals.into_iter().map(way).collect()
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec4};

    use super::*;
    use crate::import::tets::{Resolution, soft_body};
    use crate::scene::{Blade, Scene, Shape, SoftMaterial, primitive_model};

    /// Cuts a cube of flesh of about so many particles level at each of these heights [m].
    fn cube_cut(count: u32, heights: &[f32]) -> Scene {
        let shape = primitive_model(&Shape::Cuboid(Vec3::splat(0.5)));
        let plan = soft_body(&shape, Resolution::Count(count), &SoftMaterial::default()).unwrap();
        let mut scene = Scene::default();
        plan.add_to(&mut scene, Vec3::ZERO, Quat::IDENTITY, Vec4::ONE).unwrap();
        for height in heights {
            let places: Vec<Vec3> = scene.particles.iter().map(|p| p.position).collect();
            let edge = |x: f32| [Vec3::new(x, *height, -2.0), Vec3::new(x, height + 1e-4, 2.0)];
            let cut = scene.cut(&Blade::swept(edge(-2.0), edge(2.0)), &places).unwrap().cut;
            assert_eq!(cut.parted.len(), 1, "{cut:?}");
        }
        scene.validate().unwrap();
        scene
    }

    #[test]
    fn all_cuts_share_one_part_for_the_inside() {
        let parts = |scene: &Scene| {
            let model = &scene.surfaces[0].shell.model;
            (model.primitives.len(), model.materials.len(), model.primitives.iter().map(|p| p.indices.len()).sum())
        };
        let (whole, once) = (parts(&cube_cut(300, &[])), parts(&cube_cut(300, &[0.2])));
        let thrice: (_, _, usize) = parts(&cube_cut(300, &[0.2, -0.2, 0.0]));
        assert_eq!((once.0, once.1), (whole.0 + 1, whole.1 + 1));
        assert_eq!((thrice.0, thrice.1), (once.0, once.1));
        assert!(thrice.2 > once.2, "{thrice:?} {once:?}");
    }
}
