//! The triangles or tetrahedra of an object, and where a blade cuts them: between elements, never through one. A vertex whose elements
//! are no longer connected splits.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use super::blade::Blade;
use crate::constraints::Row;
use crate::scene::{Extent, Scene, components};

/// What two elements share, in order; an edge has [`u32::MAX`] last.
type Facet = [u32; 3];

/// A neighbor of an element.
#[derive(Clone, Copy, Debug)]
struct Neighbor {
    element: usize,
    facet: Facet,
    /// Whether the blade goes between them.
    parted: bool,
}

/// Two elements that the blade parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wound {
    pub(super) elements: [usize; 2],
    pub(super) facet: Facet,
}

/// A particle that is there twice from now on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Copied {
    /// The particle that it was.
    pub(super) root: u32,
    /// Its part of the mass.
    pub(super) share: f32,
}

/// The elements of an object.
#[derive(Clone, Debug, Default)]
pub(in crate::scene) struct Mesh {
    /// Corners of each: three of a triangle, four of a tetrahedron.
    pub(in crate::scene) elements: Vec<Vec<u32>>,
    /// Elements at each particle.
    pub(super) at: BTreeMap<u32, Vec<usize>>,
    neighbors: Vec<Vec<Neighbor>>,
    pub(super) wounds: Vec<Wound>,
    /// What comes after the particles of the scene.
    pub(super) copies: Vec<Copied>,
    /// The particle that a corner of an element has become.
    images: BTreeMap<(usize, u32), u32>,
    /// Number of particles before.
    particles: u32,
}

impl Mesh {
    /// Of an object, with its particles at `places` [m].
    pub(in crate::scene) fn new(scene: &Scene, extent: &Extent, blade: &Blade, places: &[Vec3]) -> Self {
        Self::over(scene, elements(scene, extent), blade, places)
    }

    /// Of these elements.
    pub(super) fn over(scene: &Scene, elements: Vec<Vec<u32>>, blade: &Blade, places: &[Vec3]) -> Self {
        let mut mesh = Self { elements, particles: scene.particles.len() as u32, ..Self::default() };
        for (element, corners) in mesh.elements.iter().enumerate() {
            corners.iter().for_each(|corner| mesh.at.entry(*corner).or_default().push(element));
        }
        mesh.meet(blade, places);
        mesh.split(scene);
        mesh
    }

    /// Whether these are tetrahedra.
    pub(in crate::scene) fn is_solid(&self) -> bool {
        self.elements.first().is_some_and(|corners| corners.len() == 4)
    }

    /// Which elements share what, and where the blade goes between them.
    fn meet(&mut self, blade: &Blade, places: &[Vec3]) {
        let middle =
            |corners: &[u32]| corners.iter().map(|i| places[*i as usize]).sum::<Vec3>() / corners.len().max(1) as f32;
        let mut facets: BTreeMap<Facet, Vec<usize>> = BTreeMap::new();
        for (element, corners) in self.elements.iter().enumerate() {
            facets_of(corners).for_each(|facet| facets.entry(facet).or_default().push(element));
        }
        self.neighbors = vec![Vec::new(); self.elements.len()];
        for (facet, sides) in facets {
            let pairs = (0..sides.len()).flat_map(|i| (0..i).map(move |k| [k, i]));
            for [a, b] in pairs.map(|pair| pair.map(|i| sides[i])) {
                let between = middle(corners_of(&facet));
                let parted = blade.parts(&[middle(&self.elements[a]), between, middle(&self.elements[b])]);
                for [from, element] in [[a, b], [b, a]] {
                    self.neighbors[from].push(Neighbor { element, facet, parted });
                }
                if parted {
                    self.wounds.push(Wound { elements: [a, b], facet });
                }
            }
        }
    }

    /// Gives what hangs together at a vertex no more a particle each. The largest part keeps that which there was.
    fn split(&mut self, scene: &Scene) {
        let touched: BTreeSet<u32> = self.wounds.iter().flat_map(|w| corners_of(&w.facet)).copied().collect();
        for root in touched {
            let around = self.at[&root].clone();
            let [before, after] = [true, false].map(|whole| self.hanging_together(&around, root, whole));
            let sizes: Vec<f64> = around.iter().map(|e| self.size(scene, *e)).collect();
            let whole = sizes.iter().sum::<f64>();
            let of = [&before, &after];
            let own =
                |group: u32, part: u32| (0..around.len()).filter(move |i| of.map(|groups| groups[*i]) == [group, part]);
            for group in values(&before) {
                let within = (0..around.len()).filter(|i| before[*i] == group).map(|i| after[i]);
                let parts = values(&within.collect::<Vec<_>>()).into_iter();
                let mut parts: Vec<(f64, u32)> =
                    parts.map(|part| (own(group, part).map(|i| sizes[i]).sum(), part)).collect();
                parts.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                for (size, part) in parts.into_iter().skip(1) {
                    let leaving: Vec<usize> = own(group, part).map(|i| around[i]).collect();
                    // What has no size shares alike.
                    let alike = leaving.len() as f64 / around.len() as f64;
                    let share = Some(size / whole).filter(|share| share.is_finite()).unwrap_or(alike);
                    self.copy(root, share as f32, &leaving);
                }
            }
        }
    }

    /// Lets these elements have a copy of their corner.
    fn copy(&mut self, root: u32, share: f32, elements: &[usize]) {
        let particle = self.particles + self.copies.len() as u32;
        self.copies.push(Copied { root, share });
        self.images.extend(elements.iter().map(|element| ((*element, root), particle)));
    }

    /// For each of these elements at a vertex the lowest that it hangs together with there, over facets that are not parted.
    fn hanging_together(&self, around: &[usize], root: u32, whole: bool) -> Vec<u32> {
        let place = |element: usize| around.iter().position(|other| *other == element);
        let holds = |n: &&Neighbor| (whole || !n.parted) && n.facet.contains(&root);
        let links = around.iter().zip(0..).flat_map(|(element, i)| {
            let there = self.neighbors[*element].iter().filter(holds).filter_map(move |n| place(n.element));
            there.map(move |k| [i, k as u32])
        });
        components(around.len(), links.collect::<Vec<_>>())
    }

    /// Area or volume of an element at rest, but for a factor.
    fn size(&self, scene: &Scene, element: usize) -> f64 {
        let at = |i: usize| scene.particles[self.elements[element][i] as usize].position.as_dvec3();
        let [u, v] = [at(1) - at(0), at(2) - at(0)];
        if self.elements[element].len() == 4 { u.cross(v).dot(at(3) - at(0)).abs() } else { u.cross(v).length() }
    }

    /// The particle that a corner of an element is now.
    pub(super) fn image(&self, element: usize, corner: u32) -> u32 {
        self.images.get(&(element, corner)).copied().unwrap_or(corner)
    }

    /// Elements that have all these particles for corners.
    pub(super) fn holders(&self, particles: &[u32]) -> Vec<usize> {
        let Some(around) = particles.first().and_then(|first| self.at.get(first)) else { return Vec::new() };
        let has_all = |element: &&usize| particles.iter().all(|p| self.elements[**element].contains(p));
        around.iter().filter(has_all).copied().collect()
    }

    /// Particles whose elements the blade has parted, and the others of these elements.
    pub(super) fn neighborhood(&self) -> BTreeSet<u32> {
        let elements = self.wounds.iter().flat_map(|wound| wound.elements);
        let corners: BTreeSet<u32> = elements.flat_map(|element| self.elements[element].iter().copied()).collect();
        corners
            .iter()
            .flat_map(|corner| &self.at[corner])
            .flat_map(|element| &self.elements[*element])
            .copied()
            .collect()
    }

    /// Elements near one over facets that are not parted, and one of them for each of their particles.
    pub(super) fn reached(&self, from: usize, steps: usize) -> (BTreeSet<usize>, BTreeMap<u32, usize>) {
        let mut seen = BTreeSet::from([from]);
        let (mut border, mut found) = (vec![from], BTreeMap::new());
        for _ in 0..=steps {
            let mut next = Vec::new();
            for element in border {
                self.elements[element].iter().for_each(|corner| {
                    found.entry(*corner).or_insert(element);
                });
                let open = self.neighbors[element].iter().filter(|n| !n.parted).map(|n| n.element);
                next.extend(open.filter(|other| seen.insert(*other)));
            }
            border = next;
        }
        (seen, found)
    }

    /// Facets of tetrahedra that the blade has laid open, counterclockwise from outside, each with its element.
    pub(super) fn opened(&self, scene: &Scene) -> Vec<(Facet, usize)> {
        let at = |p: u32| scene.particles[p as usize].position;
        let mut open = Vec::new();
        for wound in &self.wounds {
            let images = wound.elements.map(|element| wound.facet.map(|corner| self.image(element, corner)));
            if corners_of(&wound.facet).len() < 3 || images[0] == images[1] {
                continue;
            }
            open.extend(wound.elements.map(|element| (self.turned_out(element, wound.facet, at), element)));
        }
        open
    }

    /// A facet of a tetrahedron counterclockwise from outside.
    pub(in crate::scene) fn turned_out(&self, element: usize, facet: Facet, at: impl Fn(u32) -> Vec3) -> Facet {
        let [a, b, c] = facet;
        let normal = (at(b) - at(a)).cross(at(c) - at(a));
        if normal.dot(self.outward(element, facet, at)) < 0.0 { [a, c, b] } else { facet }
    }

    /// Unit normal of a facet of a tetrahedron, away from it; zero of a flat one.
    pub(super) fn outward(&self, element: usize, [a, b, c]: Facet, at: impl Fn(u32) -> Vec3) -> Vec3 {
        let normal = (at(b) - at(a)).cross(at(c) - at(a)).normalize_or_zero();
        let last = self.elements[element].iter().find(|corner| ![a, b, c].contains(corner));
        last.map_or(normal, |last| if normal.dot(at(*last) - at(a)) > 0.0 { -normal } else { normal })
    }

    /// Facets of one element alone, which is told with them: the border.
    pub(in crate::scene) fn border(&self) -> Vec<(Facet, usize)> {
        let alone = |element: usize, facet: &Facet| !self.neighbors[element].iter().any(|n| n.facet == *facet);
        let all = self.elements.iter().enumerate();
        let facets = all.flat_map(|(element, corners)| facets_of(corners).map(move |facet| (facet, element)));
        facets.filter(|(facet, element)| alone(*element, facet)).collect()
    }
}

/// Corners of a facet.
pub(super) fn corners_of(facet: &Facet) -> &[u32] {
    if facet[2] == u32::MAX { &facet[..2] } else { facet }
}

fn facets_of(corners: &[u32]) -> impl Iterator<Item = Facet> {
    (0..corners.len()).map(|left_out| {
        let mut facet = [u32::MAX; 3];
        let others = corners.iter().enumerate().filter(|(i, _)| *i != left_out);
        facet.iter_mut().zip(others).for_each(|(slot, (_, corner))| *slot = *corner);
        facet.sort_unstable();
        facet
    })
}

fn values(numbers: &[u32]) -> BTreeSet<u32> {
    numbers.iter().copied().collect()
}

/// Tetrahedra of an object if it has some, else its triangles; each once.
fn elements(scene: &Scene, extent: &Extent) -> Vec<Vec<u32>> {
    let rows = || scene.constraints[extent.constraints()].iter();
    let joins = |row: &&Row, count| row.joined().len() == count && (row.strains() || row.rest_volume().is_some());
    let mut known = BTreeSet::new();
    let mut all = Vec::new();
    let mut add = |corners: &[u32]| {
        let mut sorted = corners.to_vec();
        sorted.sort_unstable();
        if known.insert(sorted) {
            all.push(corners.to_vec());
        }
    };
    rows().filter(|row| joins(row, 4)).for_each(|row| add(row.joined()));
    if rows().any(|row| joins(&row, 4)) {
        return all;
    }
    let in_air = scene.air_surfaces.iter().flat_map(|surface| &surface.triangles);
    let own = |triangle: &&[u32; 3]| extent.has_particle(triangle[0]);
    scene.triangles.iter().chain(in_air).filter(own).for_each(|triangle| add(triangle));
    rows().filter(|row| joins(row, 3)).for_each(|row| add(row.joined()));
    all
}
