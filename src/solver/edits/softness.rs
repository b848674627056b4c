//! How far objects give way, changed while the world runs: compliances are written where rows of constraints have them.

use std::ops::Range;

use crate::constraints::{Compliance, Give, GlobalType};
use crate::gpu::GpuError;
use crate::gpu::wgsl::common::color::OWN_NUMBERS;
use crate::gpu::wgsl::constraints::global_row::GlobalConstraint as GlobalConstraintRow;
use crate::scene::{DeformableId, Extent, Gives, Scene, Thing};
use crate::solver::stages::constraints::ConstraintTables;
use crate::solver::step::Woken;
use crate::solver::{Solver, SolverError};

/// Words and rows of global constraints that are to be written.
#[derive(Debug, Default)]
pub(in crate::solver) struct Changed {
    words: Vec<Range<usize>>,
    global: Vec<usize>,
}

impl ConstraintTables {
    /// Puts how far an object gives way into the words and the rows of global constraints; returns what has changed.
    pub(in crate::solver) fn soften(&mut self, scene: &Scene, object: usize) -> Changed {
        let extent = &scene.deformables[object];
        let mut changed = Vec::new();
        for color in 0..self.colors.len() {
            for (k, _) in self.types[self.colors[color].kind as usize].gives {
                self.soften_number(scene, extent, color, *k, &mut changed);
            }
        }
        Changed { words: changed, global: self.global.soften(scene, extent) }
    }

    fn soften_number(
        &mut self,
        scene: &Scene,
        extent: &Extent,
        index: usize,
        k: usize,
        changed: &mut Vec<Range<usize>>,
    ) {
        let (color, own) = (self.colors[index], extent.constraints());
        let (numbers, count) = (self.numbers[color.kind as usize], color.count as usize);
        let first = (color.first + color.particles * color.count) as usize;
        let room = self.room_of(index, k);
        let mut span: Option<Range<usize>> = None;
        for place in 0..count {
            let constraint = self.order[color.row as usize + place] as usize;
            let row = &scene.constraints[constraint];
            let give = row.gives().find(|(number, _)| *number == k);
            let Some((_, give)) = give.filter(|_| own.contains(&constraint)) else { continue };
            let word = extent.softened(give, numbers.of(row, k)).abs().to_bits();
            let at = match room {
                _ if !numbers.are_shared(k) => first + numbers.count + numbers.place(k) * count + place,
                None => first + k,
                Some(_) if self.words[first + k] == word => continue,
                Some(start) => {
                    if self.words[first + k] & OWN_NUMBERS == 0 {
                        let shared = std::mem::replace(&mut self.words[first + k], OWN_NUMBERS | start as u32);
                        self.words[start..start + count].fill(shared);
                        changed.extend([first + k..first + k + 1, start..start + count]);
                    }
                    start + place
                }
            };
            if std::mem::replace(&mut self.words[at], word) != word {
                span = Some(span.map_or(at..at + 1, |before| before.start.min(at)..before.end.max(at + 1)));
            }
        }
        changed.extend(span);
    }

    /// The first of the words that rows of a color have for a number that was shared.
    fn room_of(&self, color: usize, k: usize) -> Option<usize> {
        self.softened[color].iter().find(|softened| softened.number == k).map(|softened| softened.first as usize)
    }

    /// Whether what all rows of a type had alike is not so any more, or was not once.
    fn were_softened(&self) -> bool {
        let shared = |color: usize, k: usize| {
            let color = &self.colors[color];
            self.words[(color.first + color.particles * color.count) as usize + k]
        };
        let mut rooms = self.softened.iter().enumerate();
        rooms.any(|(color, rooms)| rooms.iter().any(|room| shared(color, room.number) & OWN_NUMBERS != 0))
    }

    /// All compliances, and what says where they are.
    fn all_compliances(&self) -> Changed {
        let mut words = Vec::new();
        for (index, color) in self.colors.iter().enumerate() {
            let (numbers, count) = (self.numbers[color.kind as usize], color.count as usize);
            let first = (color.first + color.particles * color.count) as usize;
            for (k, _) in self.types[color.kind as usize].gives {
                if numbers.are_shared(*k) {
                    words.push(first + k..first + k + 1);
                    words.extend(self.room_of(index, *k).map(|start| start..start + count));
                } else {
                    let start = first + numbers.count + numbers.place(*k) * count;
                    words.push(start..start + count);
                }
            }
        }
        Changed { words, global: (0..self.global.rows.len()).collect() }
    }
}

impl Solver {
    /// Sets how far cloth, flesh or a rope gives way from now on: see [`Give`] and [`Compliance`]. Words are written, nothing is made
    /// anew, whatever other objects have. Everything wakes.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for an object that is not of this scene, [`SolverError::GivesNot`] for one without constraints that could
    /// give way so, [`SolverError::Scene`] for a number out of range, and for elastic tetrahedra that are given anything but a factor;
    /// nothing changes then.
    pub fn set_compliance(
        &mut self,
        object: DeformableId,
        give: Give,
        compliance: Compliance,
    ) -> Result<(), SolverError> {
        let before = self.compliance(object, give)?;
        let index = object.0 as usize;
        compliance.check(&format!("deformable `{}`", self.scene.deformables[index].name), give)?;
        if compliance == before {
            return Ok(());
        }
        let gives = &mut self.scene.deformables[index].gives;
        match compliance {
            Compliance::MADE => gives.remove(&give),
            compliance => gives.insert(give, compliance),
        };
        let changed = self.constraints.soften(&self.scene, index);
        self.write_compliances(&changed)?;
        self.touched.wake(Woken::All);
        Ok(())
    }

    /// How far an object gives way: [`Compliance::MADE`] until it is set.
    ///
    /// # Errors
    /// [`SolverError::Missing`] and [`SolverError::GivesNot`] as [`Solver::set_compliance`].
    pub fn compliance(&self, object: DeformableId, give: Give) -> Result<Compliance, SolverError> {
        let name = self.find_thing(Thing::Deformable(object))?;
        let extent = &self.scene.deformables[object.0 as usize];
        let mut rows = self.scene.constraints[extent.constraints()].iter().flat_map(|row| row.gives());
        let mut global = self.scene.global_constraints.iter().filter(|row| extent.has(row));
        let has = |kind: &GlobalType| kind.gives.1 == give || (give == Give::Pressure && kind.inflates.is_some());
        if rows.any(|(_, own)| own == give) || global.any(|row| has(row.kind)) {
            Ok(extent.gives.get(&give).copied().unwrap_or(Compliance::MADE))
        } else {
            Err(SolverError::GivesNot(name, give.name()))
        }
    }

    /// Sets the pressure inside a balloon or another closed mesh, times that with which it was made, from 0.01 to 100: its volume goes
    /// with it. Everything wakes.
    ///
    /// # Errors
    /// As [`Solver::set_compliance`].
    pub fn set_pressure(&mut self, object: DeformableId, times: f32) -> Result<(), SolverError> {
        self.set_compliance(object, Give::Pressure, Compliance::Times(times))
    }

    /// The pressure inside an object, times that with which it was made.
    ///
    /// # Errors
    /// As [`Solver::compliance`].
    pub fn pressure(&self, object: DeformableId) -> Result<f32, SolverError> {
        Ok(self.compliance(object, Give::Pressure)?.number())
    }

    /// What these objects were given is forgotten: a copy enters the world as it was made.
    pub(super) fn harden(&mut self, objects: Range<u32>) -> Result<(), GpuError> {
        for object in objects.map(|object| object as usize) {
            if !std::mem::take(&mut self.scene.deformables[object].gives).is_empty() {
                let changed = self.constraints.soften(&self.scene, object);
                self.write_compliances(&changed)?;
            }
        }
        Ok(())
    }

    /// Takes what a state has of all objects. Its words have come back already, but those here may stand in other places.
    pub(in crate::solver) fn resume_compliances(&mut self, given: Vec<Gives>) -> Result<(), GpuError> {
        let mut any = self.constraints.were_softened();
        for (object, given) in given.into_iter().enumerate() {
            any |= !given.is_empty();
            let before = std::mem::replace(&mut self.scene.deformables[object].gives, given);
            if before != self.scene.deformables[object].gives {
                any = true;
                self.constraints.soften(&self.scene, object);
            }
        }
        if any { self.write_compliances(&self.constraints.all_compliances()) } else { Ok(()) }
    }

    fn write_compliances(&self, changed: &Changed) -> Result<(), GpuError> {
        for range in &changed.words {
            self.buffers.upload("constraint_words", range.start, &self.constraints.words[range.clone()])?;
        }
        let offset = std::mem::offset_of!(GlobalConstraintRow, values);
        for index in &changed.global {
            let values = self.constraints.global.rows[*index].values;
            self.buffers.upload_fields("global_constraints", *index, offset, &values)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::constraints::{GLOBAL_TYPES, Partition, Row, TYPES};
    use crate::gpu::Context;
    use crate::scene::Deformable;

    /// Two objects alike, in other places than those at rest.
    fn world(objects: [&Deformable; 2], partition: Partition) -> Scene {
        let mut scene = Scene::default();
        scene.params.partition = partition;
        for (object, x) in objects.into_iter().zip([0.0, 9.0]) {
            scene.add_deformable(object, vec(x), Quat::IDENTITY, Vec3::ZERO).unwrap();
        }
        scene
    }

    fn vec(x: f32) -> Vec3 {
        Vec3::new(x, 5.0, 0.0)
    }

    fn object(rest: &[Vec3]) -> Deformable {
        let mut object = Deformable::new("object", rest.iter().map(|p| 1.2 * *p).collect(), 1.0, 0.01);
        object.masses[0] = if rest.len() > 1 { 0.0 } else { 1.0 };
        object
    }

    fn run(solver: &mut Solver) -> Vec<[f32; 4]> {
        (0..4).for_each(|_| solver.step());
        solver.read_particles().unwrap()
    }

    /// A world whose second object was made softer, and one where it was told so, go the same way to the bit.
    fn compare(made: [&Deformable; 2], softer: &Deformable, give: Give, compliance: Compliance) {
        let context = Context::shared().unwrap();
        for partition in [Partition::Colors, Partition::Clusters, Partition::Jacobi] {
            let mut expected = Solver::new(&context, &world([made[0], softer], partition)).unwrap();
            let mut edited = Solver::new(&context, &world(made, partition)).unwrap();
            let mut untouched = Solver::new(&context, &world(made, partition)).unwrap();
            let buffers = edited.revision;
            edited.set_compliance(DeformableId(1), give, compliance).unwrap();
            assert_eq!(edited.revision, buffers, "nothing is made anew");
            let [expected, edited, untouched] = [&mut expected, &mut edited, &mut untouched].map(run);
            assert_eq!(expected, edited, "{give:?} {partition}");
            assert_ne!(edited, untouched, "{give:?} {partition}: it acts");
            let first = ..made[0].rest.len();
            assert_eq!(edited[first], untouched[first], "{give:?} {partition}: the other one is as it was");
        }
    }

    #[test]
    fn every_type_gives_way_as_it_is_told() {
        for kind in TYPES {
            let example = (kind.example)();
            let made = Row { values: example.row.values, ..example.row };
            let give = kind.gives[0].1;
            let compliance = if give == Give::Elastic { Compliance::Times(40.0) } else { Compliance::Each(0.07) };
            let mut softer = made;
            for (k, own) in softer.kind.gives.iter().filter(|(_, own)| *own == give) {
                softer.values[*k] = compliance.of(made.values[*k]);
                assert_eq!(*own, give);
            }
            let rest = &example.rest[..kind.particles];
            let [plain, soft] = [made, softer].map(|row| {
                let mut object = object(rest);
                object.join(&row).unwrap();
                object
            });
            compare([&plain, &plain], &soft, give, compliance);
        }
    }

    #[test]
    fn a_balloon_grows_with_its_pressure_and_is_refused_what_it_cannot_have() {
        let example = (GLOBAL_TYPES.iter().find(|kind| kind.inflates.is_some()).unwrap().examples)().pop().unwrap();
        let mut blown = example.row.clone();
        blown.values[0] *= 1.3;
        let [plain, blown] = [&example.row, &blown].map(|row| {
            let mut object = object(&example.rest);
            object.join_global(row).unwrap();
            object
        });
        compare([&plain, &plain], &blown, Give::Pressure, Compliance::Times(1.3));
        let mut solver = Solver::new(&Context::shared().unwrap(), &world([&plain, &plain], Partition::Colors)).unwrap();
        for refused in [0.0, -1.0, f32::NAN, 1e3] {
            let error = solver.set_pressure(DeformableId(0), refused).unwrap_err().to_string();
            assert!(error.contains("pressure") && error.contains("0.01 to 100"), "{error}");
        }
        assert!(solver.set_compliance(DeformableId(0), Give::Pressure, Compliance::Each(2.0)).is_err());
        assert_eq!(solver.pressure(DeformableId(0)).unwrap(), 1.0);
    }

    #[test]
    fn every_global_type_gives_way_as_it_is_told() {
        for kind in GLOBAL_TYPES {
            let example = (kind.examples)().pop().unwrap();
            let (k, give) = kind.gives;
            let compliance = Compliance::Each(0.07);
            let mut softer = example.row.clone();
            softer.values[k] = 0.07;
            let [plain, soft] = [&example.row, &softer].map(|row| {
                let mut object = object(&example.rest);
                object.join_global(row).unwrap();
                object
            });
            compare([&plain, &plain], &soft, give, compliance);
        }
    }
}
