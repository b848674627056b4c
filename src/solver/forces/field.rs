//! Fields of force: the rows of those that act, and kernels with what users wrote.

use std::fmt::Write as _;

use crate::gpu::snippet::{self, Argument};
use crate::gpu::wgsl::forces::field::{
    FIELD_ACCELERATION, FIELD_AIR, FIELD_ATTRACTOR, FIELD_USER, FIELD_VORTEX, FieldCounts, FieldRow, REGION_ALL,
    REGION_BALL, REGION_BOX,
};
use crate::gpu::{Buffers, Context, GpuError, shader, wgpu::BufferUsages};
use crate::scene::{Field, FieldId, FieldLaw, Kinds, Region, Scene};
use crate::solver::stages::rows::quat;
use crate::solver::step::Woken;
use crate::solver::{Solver, SolverError};

use crate::solver::stages::forces::{FIELD_BODIES, FIELD_PARTICLES, Stage};

/// The fields that act now.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::solver) struct Fields {
    rows: Vec<FieldRow>,
    /// What users wrote, by number.
    texts: Vec<String>,
    /// All that any of them acts on.
    pub(in crate::solver) kinds: Kinds,
}

impl Fields {
    /// Those of a scene.
    ///
    /// # Errors
    /// [`SolverError::Field`] for a user's text that is wrong.
    pub(in crate::solver) fn new(scene: &Scene) -> Result<Self, SolverError> {
        let mut fields = Self { kinds: Kinds::NONE, ..Self::default() };
        for (index, field) in scene.fields.iter().enumerate() {
            let Some(field) = field else { continue };
            let mut row = row(field);
            if let FieldLaw::User(text) = &field.law {
                snippet::check(
                    text,
                    "field",
                    &[Argument::Vector, Argument::Vector, Argument::Number],
                    Argument::Vector,
                )
                .map_err(|error| SolverError::Field { field: index, error })?;
                row.number = fields.texts.len() as u32;
                fields.texts.push(text.clone());
            }
            fields.rows.push(row);
            fields.kinds = fields.kinds | field.acts_on;
        }
        Ok(fields)
    }

    /// The kernels that these passes need, with what users wrote.
    pub(in crate::solver) fn kernels(&self, stage: &Stage) -> Vec<(&'static str, String)> {
        stage.field_passes().iter().map(|pass| (pass.kernel, self.source(pass.kernel))).collect()
    }

    /// A kernel with the users' functions in the place of `forces/user_field`.
    fn source(&self, kernel: &str) -> String {
        let mut user = String::new();
        for (k, text) in self.texts.iter().enumerate() {
            user += &snippet::renamed(text, &format!("_{k}"));
            user.push('\n');
        }
        user += "fn user_field(number: u32, position: vec3f, velocity: vec3f, time: f32) -> vec3f {\nswitch number {\n";
        for k in 0..self.texts.len() {
            let _ = writeln!(user, "case {k}u: {{ return field_{k}(position, velocity, time); }}");
        }
        user += "default: { return vec3f(0.0); }\n}\n}\n";
        let text = |name| shader::text(name).unwrap_or_default();
        let laws = text("forces/field").replace("#import \"forces/user_field\"\n", &user);
        text(kernel).replace("#import \"forces/field\"\n", &laws)
    }

    /// Makes the buffers of fields; what pulled at sleepers goes on doing so.
    pub(in crate::solver) fn create(
        &self,
        context: &Context,
        b: &mut Buffers,
        before: Option<&Buffers>,
        stage: &Stage,
    ) -> Result<(), GpuError> {
        let none = BufferUsages::empty();
        b.create_uniform("field_counts", &[FieldCounts::default()])?;
        b.create::<FieldRow>("fields", self.rows.len().next_power_of_two(), none)?; // those that act
        b.upload("fields", 0, &self.rows)?;
        // What fields did at each body when it was last awake, and at each grain [m/s²]
        let grains = if stage.grains > 0 { stage.world.particles } else { 0 };
        for (name, count) in [("body_pulls", stage.world.bodies), ("particle_pulls", grains)] {
            let count = if self.rows.is_empty() { 0 } else { count as usize };
            if before.is_none() && b.len(name) == count && count > 0 {
                continue;
            }
            b.create::<[f32; 4]>(name, count, none)?;
            let kept = before.map_or(0, |before| before.len(name)).min(count);
            if let Some(before) = before.filter(|_| kept > 0) {
                let (from, to) = (before.get(name)?, b.get(name)?);
                context.run(name, |encoder| encoder.copy_buffer_to_buffer(from, 0, to, 0, 16 * kept as u64));
            }
        }
        Ok(())
    }
}

impl Solver {
    /// Adds a field of force, which acts from the next frame on. Sleepers that it acts on wake.
    ///
    /// # Errors
    /// [`SolverError::Scene`] for numbers out of range, [`SolverError::Field`] for a user's text that is wrong, with its line. Then
    /// nothing changes.
    pub fn add_field(&mut self, field: Field) -> Result<FieldId, SolverError> {
        let before = self.scene.fields.clone();
        let id = self.scene.add_field(field)?;
        self.renew_fields(before)?;
        Ok(id)
    }

    /// Puts another field in the place of one. To move a field costs no more than to upload it, unless its text is another one.
    ///
    /// # Errors
    /// As [`Solver::add_field`], and [`SolverError::Scene`] for a field that is not there or was removed.
    pub fn set_field(&mut self, id: FieldId, field: Field) -> Result<(), SolverError> {
        let before = self.scene.fields.clone();
        self.scene.set_field(id, Some(field))?;
        self.renew_fields(before)
    }

    /// Takes a field away. Its id is never used again.
    ///
    /// # Errors
    /// [`SolverError::Scene`] for a field that is not there or was removed.
    pub fn remove_field(&mut self, id: FieldId) -> Result<(), SolverError> {
        let before = self.scene.fields.clone();
        self.scene.set_field(id, None)?;
        self.renew_fields(before)
    }

    /// Lets the fields of the scene act, or takes back those that were there before.
    fn renew_fields(&mut self, before: Vec<Option<Field>>) -> Result<(), SolverError> {
        let stage = self.stages.forces;
        let renewed = Fields::new(&self.scene).and_then(|fields| self.use_fields(fields));
        if renewed.is_err() {
            self.scene.fields = before;
            self.stages.forces = stage;
        }
        renewed
    }

    fn use_fields(&mut self, fields: Fields) -> Result<(), SolverError> {
        let before = std::mem::replace(&mut self.stages.forces.field_kinds, fields.kinds);
        if !fields.kinds.contains(before) {
            // Passes that would wake what they held are gone.
            self.touched.wake(Woken::All);
        }
        let stage = self.stages.forces;
        let passes = stage.field_passes();
        let bound = passes.iter().all(|pass| self.bound.contains_key(pass.name));
        // Without fields there is nothing that they did: a world in which some have been has the state of one made without.
        let fits =
            fields.rows.is_empty() == self.fields.rows.is_empty() && fields.rows.len() <= self.buffers.len("fields");
        if bound && fits && fields.texts == self.fields.texts {
            self.buffers.upload("fields", 0, &fields.rows)?;
        } else {
            // What may be refused comes first: kernels keep the buffers that they are bound to.
            self.kernels.compile(&self.context, &passes, fields.kernels(&stage), &stage.world)?;
            fields.create(&self.context, &mut self.buffers, None, &stage)?;
            for pass in [&FIELD_BODIES, &FIELD_PARTICLES] {
                self.bound.remove(pass.name);
            }
            self.bind_passes(&passes, fields.kernels(&stage))?;
        }
        self.fields = fields;
        self.hurry();
        Ok(())
    }

    /// Tells fields what time it is.
    pub(in crate::solver) fn write_fields(&self) {
        let rows = self.fields.rows.len() as u32;
        if rows > 0 {
            self.write("field_counts", 0, &[FieldCounts { rows, time: self.time as f32 }]);
        }
    }
}

fn row(field: &Field) -> FieldRow {
    let mut row = FieldRow { acts_on: field.acts_on.0, ..FieldRow::default() };
    match field.region {
        Region::All => row.region = REGION_ALL,
        Region::Ball { center, radius } => {
            (row.region, row.region_center, row.region_half) = (REGION_BALL, center.to_array(), [radius; 3]);
        }
        Region::Box { center, half, rotation } => {
            (row.region, row.region_center, row.region_half) = (REGION_BOX, center.to_array(), half.to_array());
            row.region_rotation = quat(rotation.normalize());
        }
    }
    match &field.law {
        FieldLaw::Acceleration(a) => (row.law, row.vector) = (FIELD_ACCELERATION, a.to_array()),
        FieldLaw::Attractor { center, strength, decay, core } => {
            (row.law, row.center, row.strength) = (FIELD_ATTRACTOR, center.to_array(), *strength);
            (row.power, row.core) = (decay.power(), *core);
        }
        FieldLaw::Vortex { center, axis, core, speed, pull, rise, rate } => {
            (row.law, row.center, row.vector) = (FIELD_VORTEX, center.to_array(), axis.normalize().to_array());
            (row.core, row.strength, row.pull, row.rise, row.rate) = (*core, *speed, *pull, *rise, *rate);
        }
        FieldLaw::Air { velocity, rate, quadratic } => {
            (row.law, row.vector, row.rate, row.quadratic) = (FIELD_AIR, velocity.to_array(), *rate, *quadratic);
        }
        FieldLaw::User(_) => row.law = FIELD_USER,
    }
    row
}
