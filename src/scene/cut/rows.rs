//! The constraints of an object that a blade has cut.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use super::blade::Blade;
use super::mesh::Mesh;
use crate::constraints::Row;
use crate::scene::components;

/// What becomes of constraints: they follow the elements that they are of, and go where the blade goes through them.
pub(super) struct Rows<'a> {
    mesh: &'a Mesh,
    blade: &'a Blade,
    places: &'a [Vec3],
    /// What hangs together before and after, by particle.
    pieces: [Vec<u32>; 2],
    parted: BTreeSet<u32>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(mesh: &'a Mesh, blade: &'a Blade, places: &'a [Vec3]) -> Self {
        let count = places.len() + mesh.copies.len();
        let links = |after: bool| {
            mesh.elements.iter().enumerate().flat_map(move |(element, corners)| {
                let image = move |i: usize| if after { mesh.image(element, corners[i]) } else { corners[i] };
                (1..corners.len()).map(move |i| [image(i - 1), image(i)])
            })
        };
        let pieces = [false, true].map(|after| components(count, links(after)));
        Self { mesh, blade, places, pieces, parted: mesh.copies.iter().map(|copy| copy.root).collect() }
    }

    /// What a constraint has become: nothing where it went through the blade; where its corners have split one for each side, as soft as
    /// its part of the elements.
    pub(super) fn followed(&self, row: &Row) -> Vec<Row> {
        let joined = row.joined();
        let holders = self.mesh.holders(joined);
        if holders.is_empty() {
            let now = if row.bends() { self.bent(row) } else { self.across(row) };
            return now.into_iter().collect();
        }
        let mut images: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
        for element in &holders {
            let image = joined.iter().map(|p| self.mesh.image(*element, *p)).collect();
            *images.entry(image).or_default() += 1;
        }
        let part = |(image, count): (Vec<u32>, usize)| {
            let mut row = *row;
            row.particles[..image.len()].copy_from_slice(&image);
            let soft: Vec<usize> = row.gives().map(|(number, _)| number).collect();
            soft.into_iter().for_each(|number| row.values[number] *= holders.len() as f32 / count as f32);
            row
        };
        images.into_iter().map(part).collect()
    }

    /// What keeps two triangles abc and abd as they stand to each other, while they share ab.
    fn bent(&self, row: &Row) -> Option<Row> {
        let [a, b, c, d] = row.particles;
        let sides = [[a, b, c], [a, b, d]].map(|three| self.mesh.holders(&three).first().copied());
        let [Some(one), Some(other)] = sides else { return self.across(row) };
        let hinge = |side: usize| [a, b].map(|corner| self.mesh.image(side, corner));
        let [c, d] = [self.mesh.image(one, c), self.mesh.image(other, d)];
        let [a, b] = hinge(one);
        (hinge(one) == hinge(other)).then_some(Row { particles: [a, b, c, d], ..*row })
    }

    /// What joins particles of more than one element.
    fn across(&self, row: &Row) -> Option<Row> {
        let joined = row.joined();
        let here = |p: &u32| self.mesh.at.contains_key(p);
        let through = joined.iter().enumerate().any(|(i, p)| {
            let others = joined[..i].iter().filter(|q| here(p) && here(q));
            others.into_iter().any(|q| self.blade.parts(&[*p, *q].map(|i| self.places[i as usize])))
        });
        if through {
            return None;
        }
        let mut now = *row;
        let whole = joined.iter().find(|p| here(p) && !self.parted.contains(p)).map(|p| self.pieces[1][*p as usize]);
        let mut piece = whole;
        for (slot, p) in now.particles.iter_mut().zip(joined).filter(|(_, p)| self.parted.contains(p)) {
            let images: BTreeSet<u32> = self.mesh.at[p].iter().map(|element| self.mesh.image(*element, *p)).collect();
            let in_piece = |image: &&u32| piece.is_none_or(|piece| self.pieces[1][**image as usize] == piece);
            *slot = *images.iter().filter(|image| self.shares(**image, *p, joined)).chain(&images).find(in_piece)?;
            piece = piece.or(Some(self.pieces[1][*slot as usize]));
        }
        let hung = |side: usize, particles: &[u32]| {
            let own = particles.iter().filter(|p| here(p) || **p as usize >= self.places.len());
            own.map(|p| self.pieces[side][*p as usize]).collect::<BTreeSet<u32>>().len()
        };
        (hung(1, now.joined()) <= hung(0, joined)).then_some(now)
    }

    /// Whether a copy is of an element that has another of these particles.
    fn shares(&self, image: u32, root: u32, joined: &[u32]) -> bool {
        let own = self.mesh.at[&root].iter().filter(|element| self.mesh.image(**element, root) == image);
        own.into_iter().any(|e| joined.iter().any(|p| *p != root && self.mesh.elements[*e].contains(p)))
    }
}

/// How a line, a net or anything without elements comes apart: lengths that the blade goes through let go.
pub(super) struct Parted {
    /// Their ends, the lower particle first.
    pub(super) gone: BTreeSet<[u32; 2]>,
    /// What hangs together before and after, by particle.
    pieces: [Vec<u32>; 2],
}

impl Parted {
    /// Of an object with these constraints; none if the blade goes through no length.
    pub(super) fn new<'a>(rows: impl Iterator<Item = &'a Row> + Clone, blade: &Blade, places: &[Vec3]) -> Option<Self> {
        let kept = |row: &Row| row.stretch().filter(|kept| !kept.tension_only).map(|kept| kept.particles);
        let parted = |ends: &[u32; 2]| blade.parts(&ends.map(|i| places[i as usize]));
        let lengths: Vec<[u32; 2]> = rows.filter_map(kept).collect();
        let (cut, left): (Vec<[u32; 2]>, Vec<[u32; 2]>) = lengths.iter().copied().partition(parted);
        let pieces = [lengths, left].map(|links| components(places.len(), links));
        let gone: BTreeSet<[u32; 2]> = cut.into_iter().map(|[a, b]| [a.min(b), a.max(b)]).collect();
        if gone.is_empty() { None } else { Some(Self { gone, pieces }) }
    }

    /// Whether a constraint goes on: it is no such length, and neither bends nor holds anything across one.
    pub(super) fn holds(&self, row: &Row) -> bool {
        let joined = row.joined();
        let hung = |side: usize| joined.iter().map(|p| self.pieces[side][*p as usize]).collect::<BTreeSet<u32>>().len();
        !self.gone.iter().any(|ends| ends.iter().all(|end| joined.contains(end))) && hung(1) <= hung(0)
    }
}
