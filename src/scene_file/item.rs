//! The items of a scene file and their keys. Meters, kilograms, seconds; angles in degrees.

use glam::{Vec2, Vec3};
use ron::value::RawValue;
use serde::Deserialize;

use super::value::{Color, Turn};
use crate::scene::{JointKind, Strands, Topology};

/// An item.
#[derive(Deserialize)]
pub(super) enum Item<'a> {
    Ground(GroundItem),
    Collider(ColliderItem),
    Pit(PitItem),
    Tank(TankItem),
    Bowl(BowlItem),
    Body(BodyItem),
    Rigid(RigidItem),
    Joint(JointItem),
    Ignore(IgnoreItem),
    Gear(GearItem),
    Character(CharacterItem),
    Sheet(SheetItem),
    Cloth(ClothItem),
    Soft(SoftItem),
    Balloon(BalloonItem),
    Rope(RopeItem),
    Rod(RodItem),
    Attach(AttachItem),
    Pin(PinItem),
    Liquid(LiquidItem),
    Grains(GrainsItem),
    Pour(PourItem),
    Emitter(EmitterItem),
    Drain(DrainItem),
    #[serde(borrow)]
    Group(GroupItem<'a>),
    #[serde(borrow)]
    Repeat(RepeatItem<'a>),
    #[serde(borrow)]
    Grid(GridItem<'a>),
    #[serde(borrow)]
    Ring(RingItem<'a>),
    #[serde(borrow)]
    At(AtItem<'a>),
}

/// The shape of a body, a collider or a drain.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum ShapeItem {
    /// Ground below its middle.
    Plane,
    /// Its sides along X, Y and Z.
    Box(f32, f32, f32),
    /// Its radius.
    Sphere(f32),
    /// Along Y; the length is that of the axis, without the caps.
    Capsule { radius: f32, length: f32 },
    /// Along Y; the length is its height.
    Cylinder { radius: f32, length: f32 },
    /// The triangles of a model file.
    Model(String),
    /// Around points.
    Hull(Vec<Vec3>),
    /// Ground from a picture: black is at 0, white at `height`, a pixel `spacing` from the next.
    Heightfield { picture: String, spacing: f32, height: f32 },
    /// Solids as one.
    Compound(Vec<PieceItem>),
}

/// A struct whose fields may all be left out, with these values then.
macro_rules! items {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty = $value:expr,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Deserialize)]
            #[serde(deny_unknown_fields, default)]
            pub(crate) struct $name {
                $(pub(crate) $field: $kind,)*
            }

            impl Default for $name {
                fn default() -> Self {
                    Self { $($field: $value,)* }
                }
            }
        )*
    };
}

items! {
    GroundItem {
        height: f32 = 0.0,
        friction: Option<f32> = None,
        restitution: Option<f32> = None,
    }
    ColliderItem {
        name: String = String::new(),
        shape: ShapeItem = ShapeItem::Box(1.0, 1.0, 1.0),
        scale: Option<f32> = None,
        position: Vec3 = Vec3::ZERO,
        rotation: Turn = Turn::default(),
        velocity: Vec3 = Vec3::ZERO,
        angular_velocity: Turn = Turn::default(),
        surface_velocity: Vec3 = Vec3::ZERO,
        friction: Option<f32> = None,
        restitution: Option<f32> = None,
        one_way: Option<Vec3> = None,
        color: Option<Color> = None,
        hidden: bool = false,
        user_data: u64 = 0,
    }
    /// A solid of a compound; of a body, it has the body's density unless it has its own.
    #[derive(Clone, Debug)]
    PieceItem {
        shape: ShapeItem = ShapeItem::Box(0.3, 0.3, 0.3),
        density: Option<f32> = None,
        position: Vec3 = Vec3::ZERO,
        rotation: Turn = Turn::default(),
    }
    PitItem { half: f32 = 2.0, height: f32 = 1.0, }
    TankItem { low: Vec3 = Vec3::new(-1.0, 0.0, -1.0), high: Vec3 = Vec3::ONE, }
    BowlItem { radius: f32 = 1.0, length: f32 = 1.0, }
    BodyItem {
        name: String = String::new(),
        shape: ShapeItem = ShapeItem::Box(0.3, 0.3, 0.3),
        density: Option<f32> = None,
        mass: Option<f32> = None,
        particle_radius: Option<f32> = None,
        position: Vec3 = Vec3::ZERO,
        rotation: Turn = Turn::default(),
        velocity: Vec3 = Vec3::ZERO,
        angular_velocity: Turn = Turn::default(),
        friction: Option<f32> = None,
        restitution: Option<f32> = None,
        kinematic: bool = false,
        gravity_scale: f32 = 1.0,
        linear_damping: f32 = 0.0,
        angular_damping: f32 = 0.0,
        locked: (bool, bool, bool) = (false, false, false),
        upright: (bool, bool, bool) = (false, false, false),
        color: Option<Color> = None,
        user_data: u64 = 0,
    }
    /// A model as one rigid body, with its own look.
    RigidItem {
        name: String = String::new(),
        model: String = String::new(),
        scale: Option<f32> = None,
        mass: Option<f32> = None,
        position: Vec3 = Vec3::ZERO,
        rotation: Turn = Turn::default(),
        velocity: Vec3 = Vec3::ZERO,
        angular_velocity: Turn = Turn::default(),
        friction: Option<f32> = None,
        restitution: Option<f32> = None,
        kinematic: bool = false,
        gravity_scale: f32 = 1.0,
        linear_damping: f32 = 0.0,
        angular_damping: f32 = 0.0,
        locked: (bool, bool, bool) = (false, false, false),
        upright: (bool, bool, bool) = (false, false, false),
        color: Option<Color> = None,
        user_data: u64 = 0,
    }
    JointItem {
        kind: JointKind = JointKind::Ball,
        a: String = String::new(),
        b: String = String::new(),
        position: Vec3 = Vec3::ZERO,
        end: Option<Vec3> = None,
        axis: Vec3 = Vec3::Y,
        up: Vec3 = Vec3::ZERO,
        travel: Option<(f32, f32)> = None,
        travel_y: Option<(f32, f32)> = None,
        travel_z: Option<(f32, f32)> = None,
        compliance: f32 = 0.0,
        swing: Option<(f32, f32)> = None,
        twist: Option<(f32, f32)> = None,
        range: Option<(f32, f32)> = None,
        motor: Option<MotorItem> = None,
        friction: f32 = 0.0,
        damping: f32 = 0.0,
        break_force: f32 = f32::INFINITY,
        meet: bool = false,
        radius: f32 = 0.04,
    }
    MotorItem {
        target: Option<Turn> = None,
        speed: Option<f32> = None,
        position: Option<f32> = None,
        velocity: Option<f32> = None,
        compliance: f32 = 0.0,
        max_torque: f32 = f32::INFINITY,
        max_force: f32 = f32::INFINITY,
    }
    GearItem {
        first: (String, String) = Default::default(),
        second: (String, String) = Default::default(),
        ratio: f32 = -1.0,
    }
    IgnoreItem { a: String = String::new(), b: String = String::new(), }
    CharacterItem {
        name: String = String::new(),
        model: String = "dancer".into(),
        scale: Option<f32> = None,
        ragdoll: Option<String> = None,
        clothes: bool = true,
        position: Vec3 = Vec3::ZERO,
        rotation: Turn = Turn::default(),
        velocity: Vec3 = Vec3::ZERO,
        angular_velocity: Turn = Turn::default(),
        clip: Option<String> = None,
        time: f32 = 0.0,
        limp: bool = false,
        limp_at: Option<f32> = None,
        strength: Option<f32> = None,
        muscles: Option<f32> = None,
        hide: Vec<String> = Vec::new(),
        color: Option<Color> = None,
        user_data: u64 = 0,
    }
    SheetItem {
        name: String = "sheet".into(),
        size: Vec2 = Vec2::ONE,
        points: (u32, u32) = (30, 30),
        topology: Topology = Topology::Centered,
        position: Vec3 = Vec3::ZERO,
        rotation: Turn = Turn::default(),
        velocity: Vec3 = Vec3::ZERO,
        radius: Option<f32> = None,
        material: SheetWish = SheetWish::default(),
        pin: Vec<Edge> = Vec::new(),
        tether: bool = true,
        tearing: Option<f32> = None,
        friction: Option<f32> = None,
        damping: f32 = 3.0,
        meets_itself: bool = true,
        color: Option<Color> = None,
        texture: Option<String> = None,
        user_data: u64 = 0,
    }
    /// What cloth is made of.
    SheetWish {
        area_density: f32 = 0.2,
        stretch: f32 = 1e-6,
        bend: f32 = 1e4,
        by_angle: bool = false,
        air_density: f32 = 1.2,
        drag: f32 = 1.2,
        lift: f32 = 0.6,
        weave: Option<WeaveItem> = None,
    }
    /// Threads of cloth.
    WeaveItem {
        warp: f32 = 1e-3,
        weft: f32 = 1e-3,
        shear: f32 = 2e-2,
        direction: Vec3 = Vec3::Z,
    }
    /// A model as cloth.
    ClothItem {
        name: String = String::new(),
        model: String = String::new(),
        scale: Option<f32> = None,
        particles: u32 = 1500,
        material: SheetWish = SheetWish::default(),
        pin: String = "none".into(),
        tearing: Option<f32> = None,
        friction: Option<f32> = None,
        position: Vec3 = Vec3::ZERO,
        rotation: Turn = Turn::default(),
        velocity: Vec3 = Vec3::ZERO,
        color: Option<Color> = None,
        user_data: u64 = 0,
    }
    /// A model or a shape as flesh.
    SoftItem {
        name: String = String::new(),
        model: String = String::new(),
        shape: Option<ShapeItem> = None,
        scale: Option<f32> = None,
        particles: u32 = 1000,
        sag: f32 = 0.05,
        friction: Option<f32> = None,
        yield_strain: f32 = 0.0,
        creep: f32 = 20.0,
        most_strain: f32 = 1.0,
        contact: Contact = Contact::Balls,
        fibers: f32 = 1.0,
        fiber_direction: Vec3 = Vec3::Y,
        regions: Option<RegionsItem> = None,
        position: Vec3 = Vec3::ZERO,
        rotation: Turn = Turn::default(),
        velocity: Vec3 = Vec3::ZERO,
        color: Option<Color> = None,
        user_data: u64 = 0,
    }
    /// Regions of flesh that keep their shape.
    RegionsItem {
        width: f32 = 4.0,
        mode: Mode = Mode::Linear,
        blend: f32 = 0.5,
        compliance: f32 = 0.0,
    }
    BalloonItem {
        name: String = "balloon".into(),
        radius: f32 = 0.25,
        pressure: f32 = 1.5,
        position: Vec3 = Vec3::ZERO,
        velocity: Vec3 = Vec3::ZERO,
        color: Option<Color> = None,
        user_data: u64 = 0,
    }
    RopeItem {
        name: String = "rope".into(),
        through: Vec<Vec3> = Vec::new(),
        radius: f32 = 0.01,
        particles: u32 = 40,
        line_density: f32 = 0.1,
        stretch: f32 = 1e-6,
        bend: f32 = 1e-3,
        pin: Vec<End> = Vec::new(),
        tether: bool = true,
        velocity: Vec3 = Vec3::ZERO,
        colors: Option<(Color, Color)> = None,
        strands: Strands = Strands::default(),
        user_data: u64 = 0,
    }
    RodItem {
        name: String = "rod".into(),
        through: Vec<Vec3> = Vec::new(),
        radius: f32 = 0.01,
        particles: u32 = 40,
        thickness: f32 = 0.004,
        density: f32 = 1100.0,
        young: f32 = 1e7,
        shear: f32 = 4e6,
        pin: Vec<End> = Vec::new(),
        velocity: Vec3 = Vec3::ZERO,
        colors: Option<(Color, Color)> = None,
        strands: Strands = Strands::default(),
        user_data: u64 = 0,
    }
    /// Fastens particles of an object to a body.
    AttachItem {
        object: String = String::new(),
        body: String = String::new(),
        near: Vec3 = Vec3::ZERO,
        radius: f32 = 0.05,
        compliance: f32 = 0.0,
    }
    /// Holds particles of an object where they are.
    PinItem { object: String = String::new(), near: Vec3 = Vec3::ZERO, radius: f32 = 0.05, }
    LiquidItem {
        name: String = "water".into(),
        radius: f32 = 0.03,
        density: f32 = 1000.0,
        viscosity: f32 = 0.001,
        tension: f32 = 0.07,
        confinement: f32 = 0.0,
        clearness: Option<Vec3> = None,
        turbidity: f32 = 0.0,
        user_data: u64 = 0,
    }
    GrainsItem {
        name: String = "sand".into(),
        radius: f32 = 0.03,
        density: f32 = 2600.0,
        friction: f32 = 0.6,
        color: Option<Color> = None,
        user_data: u64 = 0,
    }
    /// Fills a box, or a closed model, with a liquid or grains.
    PourItem {
        of: String = String::new(),
        low: Vec3 = Vec3::ZERO,
        high: Vec3 = Vec3::ZERO,
        model: Option<String> = None,
        scale: Option<f32> = None,
        position: Vec3 = Vec3::ZERO,
        velocity: Vec3 = Vec3::ZERO,
    }
    EmitterItem {
        name: String = "emitter".into(),
        of: String = String::new(),
        position: Vec3 = Vec3::ZERO,
        direction: Vec3 = Vec3::Y,
        radius: f32 = 0.1,
        speed: f32 = 1.0,
        budget: u32 = 1000,
        spout: bool = true,
    }
    DrainItem {
        shape: ShapeItem = ShapeItem::Sphere(0.2),
        position: Vec3 = Vec3::ZERO,
    }
}

/// What of a sheet is held: its sides in X and Z as it lies before it is turned.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(super) enum Edge {
    Left,
    Right,
    Back,
    Front,
    BackLeft,
    BackRight,
    FrontLeft,
    FrontRight,
}

/// What of a rope is held.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(super) enum End {
    Start,
    End,
}

/// What flesh meets others by.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(super) enum Contact {
    Balls,
    Triangles,
}

/// How regions deform.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(super) enum Mode {
    Rigid,
    Linear,
    Quadratic,
}

/// A struct around items.
macro_rules! layouts {
    ($($name:ident { $($field:ident: $kind:ty = $value:expr,)* })*) => {
        $(
            #[derive(Deserialize)]
            #[serde(deny_unknown_fields, default)]
            pub(crate) struct $name<'a> {
                $(pub(crate) $field: $kind,)*
                #[serde(borrow)]
                pub(crate) items: Vec<&'a RawValue>,
            }

            impl Default for $name<'_> {
                fn default() -> Self {
                    Self { $($field: $value,)* items: Vec::new() }
                }
            }
        )*
    };
}

layouts! {
    GroupItem { position: Vec3 = Vec3::ZERO, rotation: Turn = Turn::default(), }
    RepeatItem { count: u32 = 1, step: Vec3 = Vec3::ZERO, turn: f32 = 0.0, }
    GridItem { count: (u32, u32, u32) = (1, 1, 1), step: Vec3 = Vec3::ONE, }
    RingItem { count: u32 = 1, radius: f32 = 1.0, }
    AtItem { places: Vec<Vec3> = Vec::new(), }
}
