//! Cloth, flesh and balloons.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3, Vec4};

use super::bodies::plain;
use super::{Added, Builder, Fault, of_model, within};
use crate::constraints::{Plastic, RegionMode};
use crate::demos::DemoError;
use crate::import::cloth::{ClothError, ClothPlan};
use crate::import::read_image;
use crate::import::tets::SoftPlan;
use crate::scene::{
    Air, Deformable, DeformableId, Material, Model, Regions, SheetGrid, SheetMaterial, Shell, Thing, Weave,
    primitive_model,
};
use crate::scene_file::item::{BalloonItem, ClothItem, Contact, Edge, SheetItem, SheetWish, SoftItem};
use crate::scene_file::value::Color;
use crate::spawn::{ClothSettings, SoftSettings, balloon};

/// Most particles of a sheet, of a cloth and of flesh.
const MOST_OF_SHEET: f32 = 1_000_000.0;
const MOST_OF_CLOTH: u32 = 100_000;
/// Radius of the particles of a sheet, in their distance: neighbors do not touch.
const RADIUS: f32 = 0.45;

impl SheetWish {
    fn material(&self) -> SheetMaterial {
        SheetMaterial {
            area_density: self.area_density,
            stretch: self.stretch,
            bend: self.bend,
            by_angle: self.by_angle,
            air: Air { density: self.air_density, drag: self.drag, lift: self.lift },
            weave: self.weave.as_ref().map(|w| Weave {
                warp: w.warp,
                weft: w.weft,
                shear: w.shear,
                direction: w.direction,
            }),
        }
    }
}

/// Where an object goes, how fast, and its color.
struct Put {
    position: Vec3,
    rotation: Quat,
    velocity: Vec3,
    tint: Vec4,
}

impl Builder<'_> {
    pub(super) fn sheet(&mut self, item: SheetItem) -> Added {
        let (across, along) = item.points;
        let name = &self.full_name(&item.name);
        let size = item.size;
        within(name, "size", size.min_element(), size.is_finite() && size.min_element() > 0.0, "above 0")?;
        within(name, "points", across.min(along) as f32, across.min(along) >= 2, "2 or more along each side")?;
        let count = across as f32 * along as f32;
        within(name, "points", count, count <= MOST_OF_SHEET, "at most a million in all")?;
        let grid = SheetGrid { points: [across, along], size, topology: item.topology };
        let radius = item.radius.unwrap_or(RADIUS * grid.spacing());
        let material = item.material.material();
        let mut sheet =
            Deformable::sheet(name, grid.positions(), &grid.triangles(), radius, &material)?.damped(item.damping);
        let held = |at: Vec3| item.pin.iter().any(|edge| edge.holds(Vec2::new(at.x, at.z), 0.5 * size));
        sheet.pin(held);
        sheet.tearing = item.tearing;
        sheet.friction = item.friction;
        sheet.meets_itself = item.meets_itself;
        let extends = item.tearing.is_some() || material.weave.is_some();
        if item.tether && !extends && !item.pin.is_empty() {
            sheet.tether(0.0, 0.0)?;
        }
        let images = match &item.texture {
            Some(file) => vec![read_image(&self.folder.join(file))?],
            None => Vec::new(),
        };
        let base_color_texture = (!images.is_empty()).then_some(0);
        let surface = Material { double_sided: true, roughness: 0.8, base_color_texture, ..Material::default() };
        let mut shell = Shell::on_particles(&sheet.rest, &grid.triangles(), &grid.uvs(), surface);
        shell.model.images = images;
        let plain = item.texture.is_some() && item.color.is_none();
        let tint = if plain { Vec4::ONE } else { self.tint(item.color) };
        let put = self.put(item.position, item.rotation.rotation(), item.velocity, tint)?;
        let id = self.add_drawn(&sheet, &Arc::new(shell), &put)?;
        self.remember(&item.name, Thing::Deformable(id), item.user_data)
    }

    pub(super) fn cloth(&mut self, item: ClothItem) -> Added {
        let asset = self.asset(&item.model, item.scale)?;
        let fits = (1..=MOST_OF_CLOTH).contains(&item.particles);
        within("cloth", "particles", item.particles as f32, fits, "from 1 to 100000")?;
        let wrong = |reason| DemoError::from(ClothError { name: item.model.clone(), reason });
        let pins = item.pin.parse().map_err(wrong)?;
        let settings = ClothSettings { particles: item.particles, material: item.material.material(), pins };
        let ClothPlan { mut object, shell, warnings } = settings.plan(&asset.model).map_err(DemoError::from)?;
        self.stage.warnings.extend(warnings);
        object.tearing = item.tearing;
        object.friction = item.friction;
        self.model_object(object, &shell, (&item.name, &item.model), item.color, item.user_data, |this, tint| {
            this.put(item.position, item.rotation.rotation(), item.velocity, tint)
        })
    }

    pub(super) fn soft(&mut self, item: SoftItem) -> Added {
        let fits = (10..=MOST_OF_CLOTH).contains(&item.particles);
        within("flesh", "particles", item.particles as f32, fits, "from 10 to 100000")?;
        within("flesh", "sag", item.sag, (0.0001..=1.0).contains(&item.sag), "from 0.0001 to 1")?;
        within("flesh", "yield_strain", item.yield_strain, item.yield_strain >= 0.0, "0 (never) or more")?;
        within("flesh", "fibers", item.fibers, item.fibers > 0.0 && item.fibers.is_finite(), "above 0; 1 for none")?;
        let length = item.fiber_direction.length();
        within("flesh", "length of fiber_direction", length, length > 0.0 && length.is_finite(), "above 0")?;
        let (model, from) = self.solid_model(&item)?;
        let plastic = Plastic { yield_strain: item.yield_strain, creep: item.creep, most: item.most_strain };
        let settings = SoftSettings {
            particles: item.particles,
            sag: item.sag,
            plastic: (item.yield_strain > 0.0).then_some(plastic),
            by_triangles: item.contact == Contact::Triangles,
            regions: item.regions.as_ref().map(|r| Regions {
                width: r.width,
                mode: RegionMode::ALL[r.mode as usize],
                blend: r.blend,
                compliance: r.compliance,
            }),
            fibers: (item.fibers != 1.0).then_some((item.fiber_direction, item.fibers)),
        };
        let SoftPlan { mut object, shell, warnings, .. } = settings.plan(&model).map_err(DemoError::from)?;
        object.friction = item.friction;
        // The corners of a shape stand out of its particles, however many there are.
        if item.shape.is_none() {
            self.stage.warnings.extend(warnings);
        }
        self.model_object(object, &shell, (&item.name, &from), item.color, item.user_data, |this, tint| {
            this.put(item.position, item.rotation.rotation(), item.velocity, tint)
        })
    }

    /// What flesh is made of: a model file or a shape, and what it is called.
    fn solid_model(&mut self, item: &SoftItem) -> Result<(Model, String), Fault> {
        match &item.shape {
            None if item.model.is_empty() => {
                let told = "it has neither a `model` (a .glb, .gltf or .vrm file) nor a `shape`; give one of them";
                Err(Fault::Said(told.into()))
            }
            None => Ok((self.asset(&item.model, item.scale)?.model, item.model.clone())),
            Some(_) if !item.model.is_empty() => {
                Err(Fault::Said("it has a `model` and a `shape`; leave one of them out".into()))
            }
            Some(shape) => {
                of_model("scale", item.scale.is_some())?;
                let shape = plain(shape)?;
                let size = shape.bounding_radius();
                within("flesh", "size of the shape", size, size > 0.0, "above 0; a plane and a model are none here")?;
                Ok((Model { name: "flesh".into(), ..primitive_model(&shape) }, "flesh".into()))
            }
        }
    }

    pub(super) fn balloon(&mut self, item: BalloonItem) -> Added {
        within("balloon", "radius", item.radius, item.radius > 0.0, "above 0")?;
        let (mut object, shell) = balloon(item.radius, item.pressure)?;
        object.name = self.full_name(&item.name);
        let tint = self.tint(item.color);
        let put = self.put(item.position, Quat::IDENTITY, item.velocity, tint)?;
        let id = self.add_drawn(&object, &shell, &put)?;
        self.remember(&item.name, Thing::Deformable(id), item.user_data)
    }

    /// Adds what was made of a model; without a color it has that of the model.
    fn model_object(
        &mut self,
        mut object: Deformable,
        shell: &Arc<Shell>,
        (name, model): (&str, &str),
        color: Option<Color>,
        user_data: u64,
        put: impl FnOnce(&Self, Vec4) -> Result<Put, Fault>,
    ) -> Added {
        object.name = self.full_name(if name.is_empty() { model } else { name });
        let tint = if model == "flesh" { self.tint(color) } else { color.map_or(Vec4::ONE, |color| color.0) };
        let put = put(self, tint)?;
        let id = self.add_drawn(&object, shell, &put)?;
        self.remember(name, Thing::Deformable(id), user_data)
    }

    fn put(&self, position: Vec3, rotation: Quat, velocity: Vec3, tint: Vec4) -> Result<Put, Fault> {
        let at = self.placed(position, rotation)?;
        Ok(Put { position: at.position, rotation: at.rotation, velocity: self.turned(velocity), tint })
    }

    fn add_drawn(&mut self, object: &Deformable, shell: &Arc<Shell>, put: &Put) -> Result<DeformableId, Fault> {
        let scene = &mut self.stage.scene;
        let id = scene.add_deformable(object, put.position, put.rotation, put.velocity)?;
        scene.draw_shell(id, shell, put.tint)?;
        Ok(id)
    }
}

impl Edge {
    /// Whether it holds the point `at` of a sheet from `-half` to `half` [m].
    fn holds(self, at: Vec2, half: Vec2) -> bool {
        let near = 1e-4 * half;
        let (left, right) = (at.x < near.x - half.x, at.x > half.x - near.x);
        let (back, front) = (at.y < near.y - half.y, at.y > half.y - near.y);
        match self {
            Self::Left => left,
            Self::Right => right,
            Self::Back => back,
            Self::Front => front,
            Self::BackLeft => back && left,
            Self::BackRight => back && right,
            Self::FrontLeft => front && left,
            Self::FrontRight => front && right,
        }
    }
}
