//! Where cloth can tear: its triangles, which of them share which edges, and what follows them. Triangles stay;
//! vertices split, so that the corners of triangles are all that changes.

use std::collections::{BTreeSet, HashMap};

use super::tear::sorted;
use super::{Scene, Tear};
use crate::constraints::Row;

/// No corner: an edge at the border.
pub(crate) const BORDER: u32 = u32::MAX;
/// No corner either: an edge of more than two triangles, which never parts.
pub(crate) const HELD: u32 = u32::MAX - 1;
/// Most triangles at a vertex that splits.
pub(crate) const MOST_FAN: usize = 32;

/// When a constraint that follows triangles acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Whatever parts: with half its stiffness where its edge has parted.
    Always,
    /// Once its edge has parted, in place of the other half.
    Parted,
    /// Until its edge parts.
    Whole,
}

/// A constraint that follows corners of triangles.
#[derive(Clone, Debug)]
pub(crate) struct Follower {
    /// Index into [`Scene::constraints`].
    pub(crate) constraint: u32,
    pub(crate) when: When,
    /// Corners of its particles.
    pub(crate) corners: Vec<u32>,
    /// Those that its first two corners are on the other side of the edge between them; [`BORDER`] without one.
    pub(crate) across: [u32; 2],
    /// Index into [`Scene::tears`] of the edge that it is, if it tells of it.
    pub(crate) tear: Option<u32>,
}

/// An object that tears.
#[derive(Clone, Debug)]
pub(crate) struct Fabric {
    /// Index into [`Scene::deformables`].
    pub(crate) object: u32,
    pub(crate) first_particle: u32,
    pub(crate) particles: u32,
    /// So many of them, at the end, come into the world when a vertex splits.
    pub(crate) spares: u32,
}

/// The triangles of all that tears. Corner `3 f + k` is corner `k` of face `f`; an edge goes from a corner to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seams {
    /// Index into [`Scene::triangles`] of each face.
    pub(crate) faces: Vec<u32>,
    /// The particle at each corner while all is whole.
    pub(crate) roots: Vec<u32>,
    /// The corner at which the edge begins on its other side, [`BORDER`] or [`HELD`].
    pub(crate) across: Vec<u32>,
    /// Index into [`Scene::tears`] of each edge.
    pub(crate) tears: Vec<Option<u32>>,
    /// Mass of each corner: its part of that of its particle, by area [kg].
    pub(crate) shares: Vec<f32>,
    pub(crate) fabrics: Vec<Fabric>,
    /// Corners of each particle.
    pub(crate) fans: HashMap<u32, Vec<u32>>,
}

/// The next corner of the same triangle.
pub(crate) fn next(corner: u32) -> u32 {
    if corner % 3 == 2 { corner - 2 } else { corner + 1 }
}

impl Seams {
    /// Of a scene; nothing where nothing tears.
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut seams = Self::default();
        if scene.tears.is_empty() {
            return seams;
        }
        let mut fabric_of = vec![None; scene.particles.len()];
        let torn: BTreeSet<u32> = scene.tears.iter().map(|tear| edge(scene, tear)[0]).collect();
        for (extent, object) in scene.deformables.iter().zip(0..) {
            let (first, count) = (extent.first_particle.0, extent.particle_count);
            if torn.range(first..first + count).next().is_some() {
                let fabric = Fabric { object, first_particle: first, particles: count, spares: extent.spare_count };
                fabric_of[first as usize..(first + count) as usize].fill(Some(seams.fabrics.len()));
                seams.fabrics.push(fabric);
            }
        }
        for (triangle, index) in scene.triangles.iter().zip(0..) {
            if fabric_of[triangle[0] as usize].is_some() {
                seams.faces.push(index);
                seams.roots.extend(triangle);
            }
        }
        seams.fan_out();
        seams.meet(scene);
        seams.share(scene);
        seams
    }

    /// Number of corners.
    pub(crate) fn corners(&self) -> u32 {
        self.roots.len() as u32
    }

    fn fan_out(&mut self) {
        for (root, corner) in self.roots.iter().zip(0..) {
            self.fans.entry(*root).or_default().push(corner);
        }
    }

    /// Finds the other side of each edge.
    fn meet(&mut self, scene: &Scene) {
        let tears: HashMap<[u32; 2], u32> = scene.tears.iter().map(|tear| edge(scene, tear)).zip(0..).collect();
        let mut sides: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
        let edges: Vec<[u32; 2]> = (0..self.corners()).map(|c| sorted(self.root(c), self.root(next(c)))).collect();
        for (edge, corner) in edges.iter().zip(0..) {
            sides.entry(*edge).or_default().push(corner);
        }
        let across = |(edge, corner): (&[u32; 2], u32)| match sides[edge][..] {
            [_] => BORDER,
            [a, b] => {
                if a == corner {
                    b
                } else {
                    a
                }
            }
            _ => HELD,
        };
        self.across = edges.iter().zip(0..).map(across).collect();
        self.tears = edges.iter().map(|edge| tears.get(edge).copied()).collect();
    }

    fn share(&mut self, scene: &Scene) {
        let at = |corner: u32| scene.particles[self.root(corner) as usize].position;
        let area = |corner: &u32| {
            let first = corner - corner % 3;
            let [a, b, c] = [at(first), at(first + 1), at(first + 2)];
            f64::from((b - a).cross(c - a).length())
        };
        let mut shares = vec![0.0; self.roots.len()];
        for (root, fan) in &self.fans {
            let mass = f64::from(scene.particles[*root as usize].mass);
            let whole: f64 = fan.iter().map(area).sum();
            // Triangles without area share alike.
            let even = fan.iter().any(|corner| area(corner) <= 1e-9 * whole);
            for corner in fan {
                let part = if even { 1.0 / fan.len() as f64 } else { area(corner) / whole };
                shares[*corner as usize] = (mass * part) as f32;
            }
        }
        self.shares = shares;
    }

    /// The particle at a corner while all is whole.
    pub(crate) fn root(&self, corner: u32) -> u32 {
        self.roots[corner as usize]
    }

    /// Particles that never split: what holds them holds all of them, or too many triangles meet there.
    pub(crate) fn held(&self, scene: &Scene) -> Vec<bool> {
        let mut held: Vec<bool> = scene.particles.iter().map(|particle| particle.mass == 0.0).collect();
        scene.attachments.iter().for_each(|a| held[a.particle.0 as usize] = true);
        for (corner, _) in (0..).zip(&self.across).filter(|(_, across)| **across == HELD) {
            held[self.root(corner) as usize] = true;
            held[self.root(next(corner)) as usize] = true;
        }
        let crowded = self.fans.iter().filter(|(_, fan)| fan.len() > MOST_FAN);
        crowded.for_each(|(root, _)| held[*root as usize] = true);
        held
    }

    /// Whether a vertex of an object is another particle `now` than while all was whole.
    fn has_torn(&self, fabric: &Fabric, now: &impl Fn(u32) -> u32) -> bool {
        let own = fabric.first_particle..fabric.first_particle + fabric.particles;
        let corners = (0..self.corners()).filter(|corner| own.contains(&self.root(*corner)));
        corners.into_iter().any(|corner| now(corner) != self.root(corner))
    }

    /// The corner of a face at this particle.
    fn corner_at(&self, face: u32, root: u32) -> Option<u32> {
        (3 * face..3 * face + 3).find(|corner| self.root(*corner) == root)
    }

    /// A face that has all these particles for corners.
    pub(crate) fn face_of(&self, particles: &[u32]) -> Option<u32> {
        let faces = self.fans.get(particles.first()?)?.iter().map(|corner| corner / 3);
        faces.into_iter().find(|face| particles.iter().all(|root| self.corner_at(*face, *root).is_some()))
    }

    /// The corners of a face at these particles.
    pub(crate) fn corners_at(&self, face: u32, particles: &[u32]) -> Option<Vec<u32>> {
        particles.iter().map(|root| self.corner_at(face, *root)).collect()
    }

    /// What the ends of an edge that begins at `corner` are on its other side.
    pub(crate) fn opposite(&self, corner: u32) -> Option<[u32; 2]> {
        let other = self.across[corner as usize];
        let end = |root| self.corner_at(other / 3, root);
        if other >= HELD { None } else { end(self.root(corner)).zip(end(self.root(next(corner)))).map(|(a, b)| [a, b]) }
    }

    /// The edge of a face between two particles, by the corner at which it begins.
    fn edge_at(&self, face: u32, ends: [u32; 2]) -> Option<u32> {
        (3 * face..3 * face + 3).find(|c| sorted(self.root(*c), self.root(next(*c))) == sorted(ends[0], ends[1]))
    }

    /// Constraints that follow triangles. An edge that can part has two: the other half acts once it has.
    pub(crate) fn followers(&self, scene: &Scene) -> Vec<Follower> {
        let mut followers = Vec::new();
        let tear_of: HashMap<u32, u32> = scene.tears.iter().map(|tear| tear.constraint).zip(0..).collect();
        for fabric in &self.fabrics {
            for index in scene.deformables[fabric.object as usize].constraints() {
                let row = &scene.constraints[index];
                let tear = tear_of.get(&(index as u32)).copied();
                followers.extend(self.followers_of(row, index as u32, tear));
            }
        }
        followers
    }

    fn followers_of(&self, row: &Row, constraint: u32, tear: Option<u32>) -> Vec<Follower> {
        let joined = row.joined();
        if row.bends() {
            return self.bend(row, constraint).into_iter().collect();
        }
        let Some((face, corners)) = self.face_of(joined).and_then(|f| Some((f, self.corners_at(f, joined)?))) else {
            return Vec::new();
        };
        let alone = Follower { constraint, when: When::Always, corners, across: [BORDER; 2], tear: None };
        let ends = (row.stretch().is_some() && joined.len() >= 2).then(|| [joined[0], joined[1]]);
        let other = ends.and_then(|ends| self.opposite(self.edge_at(face, ends)?));
        let Some(across) = ends
            .zip(other)
            .and_then(|(ends, [a, _])| Some([self.corner_at(a / 3, ends[0])?, self.corner_at(a / 3, ends[1])?]))
        else {
            return vec![alone];
        };
        let here = [alone.corners[0], alone.corners[1]];
        let other = Follower { when: When::Parted, corners: across.to_vec(), across: here, ..alone.clone() };
        vec![Follower { across, tear, ..alone }, other]
    }

    fn bend(&self, row: &Row, constraint: u32) -> Option<Follower> {
        let [a, b, c, d] = row.particles;
        let (one, other) = (self.face_of(&[a, b, c])?, self.face_of(&[a, b, d])?);
        let corner = |face, root| self.corner_at(face, root);
        let across = [corner(other, a)?, corner(other, b)?];
        let begins = self.edge_at(one, [a, b])?;
        (self.across[begins as usize] / 3 == other).then_some(())?;
        let corners = vec![corner(one, a)?, corner(one, b)?, corner(one, c)?, corner(other, d)?];
        Some(Follower { constraint, when: When::Whole, corners, across, tear: None })
    }
}

/// The particles of an edge that breaks, the lower one first.
fn edge(scene: &Scene, tear: &Tear) -> [u32; 2] {
    let [a, b, ..] = scene.constraints[tear.constraint as usize].particles;
    sorted(a, b)
}

impl Scene {
    /// The scene as it has torn: with these triangles, in the order of its own, as
    /// [`Solver::read_triangles`](crate::solver::Solver::read_triangles) tells. Constraints follow their triangles; of an edge that has
    /// parted both sides have one, twice as compliant, the second of which comes after all constraints of the scene and so belongs to
    /// no deformable object; what bent about it keeps nothing. What a vertex has become starts where and as fast as it did, is as
    /// large, and shares its mass. An object that has torn is damped as a whole no more, and what needs it whole, as pressure inside, is
    /// left out. Nothing tears any further.
    ///
    /// # Panics
    /// For another number of triangles than the scene has, or particles that it has not.
    #[must_use]
    pub fn parted(&self, triangles: &[[u32; 3]]) -> Self {
        assert_eq!(triangles.len(), self.triangles.len(), "a triangle of each of the scene's");
        let mut scene = self.clone();
        let seams = Seams::new(self);
        scene.triangles.copy_from_slice(triangles);
        let Some(mut slack) = self.tears.first().map(|tear| self.constraints[tear.constraint as usize]) else {
            return scene;
        };
        slack.slacken();
        let now = |corner: u32| triangles[seams.faces[corner as usize / 3] as usize][corner as usize % 3];
        for follower in seams.followers(self) {
            let mut row = self.constraints[follower.constraint as usize];
            let ends = || follower.corners.iter().zip(follower.across).filter(|(_, other)| *other < HELD);
            let parted = ends().any(|(here, other)| now(*here) != now(other));
            row.particles.iter_mut().zip(&follower.corners).for_each(|(particle, corner)| *particle = now(*corner));
            if parted {
                // Each side is as soft as half of an edge.
                let soft: Vec<usize> = row.gives().map(|(number, _)| number).collect();
                soft.into_iter().for_each(|number| row.values[number] *= 2.0);
            }
            match follower.when {
                When::Whole if parted => scene.constraints[follower.constraint as usize] = slack,
                When::Parted if parted => scene.constraints.push(row),
                When::Parted => {}
                _ => scene.constraints[follower.constraint as usize] = row,
            }
        }
        for surface in &mut scene.air_surfaces {
            for triangle in &mut surface.triangles {
                let corners = seams.face_of(triangle).and_then(|face| seams.corners_at(face, triangle));
                corners.into_iter().for_each(|c| *triangle = [now(c[0]), now(c[1]), now(c[2])]);
            }
        }
        seams.fans.keys().for_each(|root| scene.particles[*root as usize].mass = 0.0);
        for (share, corner) in seams.shares.iter().zip(0..) {
            let (root, particle) =
                (&self.particles[seams.root(corner) as usize], &mut scene.particles[now(corner) as usize]);
            particle.mass += share;
            // Copies of a vertex start in one place.
            (particle.position, particle.velocity, particle.radius) = (root.position, root.velocity, root.radius);
        }
        for fabric in seams.fabrics.iter().filter(|fabric| seams.has_torn(fabric, &now)) {
            let own = fabric.first_particle..fabric.first_particle + fabric.particles;
            scene.global_constraints.retain(|row| !row.joined().next().is_some_and(|first| own.contains(&first)));
            scene.deformables[fabric.object as usize].damping = 0.0;
        }
        scene.tears.clear();
        scene
    }
}
