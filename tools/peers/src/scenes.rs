//! What is simulated, as near to the demos of sinew as rapier3d has words for it.

use std::f32::consts::PI;

use rapier3d::prelude::*;

/// Friction of everything, as sinew has it [dimensionless].
const FRICTION: f32 = 0.6;

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    /// From `low` to `high`.
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((self.0 >> 40) as f32 / (1_u64 << 24) as f32)
    }
}

fn fixed(world: &mut PhysicsWorld, at: Vector, shape: ColliderBuilder) {
    let body = RigidBodyBuilder::fixed().translation(at);
    world.insert(body, shape.friction(FRICTION));
}

fn ground(world: &mut PhysicsWorld) {
    fixed(world, Vector::new(0.0, -0.5, 0.0), ColliderBuilder::cuboid(50.0, 0.5, 50.0));
}

/// Ground, and four walls around a square of half side `half` [m].
fn pit(world: &mut PhysicsWorld, half: f32, height: f32) {
    ground(world);
    for side in [-1.0, 1.0] {
        let out = side * (half + 0.5);
        let (x, z) = (Vector::new(out, 0.5 * height, 0.0), Vector::new(0.0, 0.5 * height, out));
        fixed(world, x, ColliderBuilder::cuboid(0.5, 0.5 * height, half + 1.0));
        fixed(world, z, ColliderBuilder::cuboid(half + 1.0, 0.5 * height, 0.5));
    }
}

fn body(world: &mut PhysicsWorld, at: Pose, shape: ColliderBuilder) -> RigidBodyHandle {
    world.insert(RigidBodyBuilder::dynamic().pose(at).can_sleep(false), shape.friction(FRICTION)).0
}

/// Half extents of a box of a pair, and from its middle to the joint [m].
const HALF: [f32; 3] = [0.1, 0.1, 0.2];
const ARM: f32 = 0.25;
/// How far ball joints swing [rad].
const SWING: f32 = 0.9;

/// `count` pairs of boxes in layers over a pit 6 m wide.
pub(crate) fn pairs(world: &mut PhysicsWorld, count: u32) {
    let mut random = Random(1);
    pit(world, 3.0, 40.0);
    let (across, along) = (11, 5);
    for i in 0..count {
        let (x, z, layer) = (i % across, i / across % along, i / (across * along));
        let jitter = [(); 3].map(|()| random.between(-0.02, 0.02));
        let at = Vector::new(
            0.5 * (x as f32 - 0.5 * (across - 1) as f32) + jitter[0],
            0.4 * layer as f32 + 0.4 + jitter[1],
            1.1 * (z as f32 - 0.5 * (along - 1) as f32) + jitter[2],
        );
        let turn =
            Rotation::from_rotation_z(random.between(-3.0, 3.0)) * Rotation::from_rotation_x(random.between(-0.1, 0.1));
        let end = |offset: f32| Pose::from_parts(at + turn * (Vector::Z * offset), turn);
        let cuboid = || ColliderBuilder::cuboid(HALF[0], HALF[1], HALF[2]);
        let (a, b) = (body(world, end(-ARM), cuboid()), body(world, end(ARM), cuboid()));
        let [first, second] = [Vector::Z * ARM, Vector::Z * -ARM];
        let joint: GenericJoint = match i % 4 {
            0 => FixedJointBuilder::new().local_anchor1(first).local_anchor2(second).build().into(),
            1 => RevoluteJointBuilder::new(Vector::X)
                .local_anchor1(first)
                .local_anchor2(second)
                .limits([0.0, SWING])
                .build()
                .into(),
            2 => swinging(JointAxesMask::LOCKED_SPHERICAL_AXES, first, second, SWING),
            _ => swinging(JointAxesMask::LOCKED_SPHERICAL_AXES | JointAxesMask::ANG_Z, first, second, SWING),
        };
        world.insert_impulse_joint(a, b, joint);
    }
}

/// A joint that holds the axes of `locked` and turns so far about each of the others [rad].
fn swinging(locked: JointAxesMask, first: Vector, second: Vector, most: f32) -> GenericJoint {
    let mut joint = GenericJointBuilder::new(locked).local_anchor1(first).local_anchor2(second);
    for (axis, mask) in [
        (JointAxis::AngX, JointAxesMask::ANG_X),
        (JointAxis::AngY, JointAxesMask::ANG_Y),
        (JointAxis::AngZ, JointAxesMask::ANG_Z),
    ] {
        if !locked.contains(mask) {
            joint = joint.limits(axis, [-most, most]);
        }
    }
    joint.build()
}

/// A capsule of a ragdoll, upright: radius and half length [m], its middle, and the body above it with where they meet.
struct Limb {
    radius: f32,
    half: f32,
    at: Vector,
    above: Option<(usize, Vector)>,
    /// Whether it bends about one axis only.
    hinge: bool,
}

/// Eleven capsules and ten joints, 1.75 m tall: pelvis, torso, head, arms and legs.
fn limbs() -> Vec<Limb> {
    let v = Vector::new;
    let limb = |radius, half, at, above, hinge| Limb { radius, half, at, above, hinge };
    let mut all = vec![
        limb(0.10, 0.02, v(0.0, 0.93, 0.0), None, false),
        limb(0.13, 0.08, v(0.0, 1.23, 0.0), Some((0, v(0.0, 1.02, 0.0))), false),
        limb(0.10, 0.05, v(0.0, 1.60, 0.0), Some((1, v(0.0, 1.45, 0.0))), false),
    ];
    for side in [1.0, -1.0] {
        let (arm, leg, first) = (0.245 * side, 0.091 * side, all.len());
        all.push(limb(0.052, 0.108, v(arm, 1.246, 0.0), Some((1, v(arm, 1.393, 0.0))), false));
        all.push(limb(0.047, 0.157, v(arm, 0.875, 0.0), Some((first, v(arm, 1.083, 0.0))), true));
        all.push(limb(0.080, 0.126, v(leg, 0.651, 0.0), Some((0, v(leg, 0.850, 0.0))), false));
        all.push(limb(0.060, 0.161, v(leg, 0.220, 0.0), Some((first + 2, v(leg, 0.443, 0.0))), true));
    }
    all
}

/// `count` ragdolls, each turned another way, in layers over a wide and shallow pit.
pub(crate) fn ragdolls(world: &mut PhysicsWorld, count: u32) {
    const PITCH: f32 = 2.0;
    let mut random = Random(1);
    let layers = (0.5 * count as f32).cbrt().ceil() as u32;
    let side = (count.div_ceil(layers) as f32).sqrt().ceil() as u32;
    pit(world, 0.5 * PITCH * (side as f32 + 0.5), 40.0);
    let (limbs, middle) = (limbs(), Vector::new(0.0, 0.9, 0.0));
    for i in 0..count {
        let (x, z, layer) = (i % side, i / side % side, i / (side * side));
        let place = |k: u32| (k as f32 - 0.5 * (side - 1) as f32) * PITCH;
        let at = Vector::new(place(x), (layer as f32 * 0.707 + 0.6) * PITCH, place(z));
        let turn = Rotation::from_rotation_y(random.between(-PI, PI))
            * Rotation::from_rotation_x(random.between(-PI, PI))
            * Rotation::from_rotation_z(random.between(-PI, PI));
        let handles: Vec<RigidBodyHandle> = limbs
            .iter()
            .map(|limb| {
                let pose = Pose::from_parts(at + turn * (limb.at - middle), turn);
                body(world, pose, ColliderBuilder::capsule_y(limb.half, limb.radius))
            })
            .collect();
        for (limb, handle) in limbs.iter().zip(&handles) {
            let Some((above, place)) = limb.above else { continue };
            let (first, second) = (place - limbs[above].at, place - limb.at);
            let mut joint: GenericJoint = if limb.hinge {
                RevoluteJointBuilder::new(Vector::X)
                    .local_anchor1(first)
                    .local_anchor2(second)
                    .limits([0.0, 2.2])
                    .build()
                    .into()
            } else {
                swinging(JointAxesMask::LOCKED_SPHERICAL_AXES, first, second, SWING)
            };
            joint.set_contacts_enabled(false);
            world.insert_impulse_joint(handles[above], *handle, joint);
        }
    }
}

fn material(frequency: Option<f32>) -> SoftBodyMaterial {
    frequency.map_or_else(SoftBodyMaterial::default, |hertz| {
        let stiff = SpringCoefficients::new(hertz, 1.0);
        SoftBodyMaterial {
            bend_softness: SoftBodyMaterial::default().bend_softness,
            ..SoftBodyMaterial::uniform(stiff)
        }
    })
}

/// A cloth of `side` x `side` particles, 2 m wide, over a sphere: an edge along each side and one diagonal of each cell, an
/// angle between each two triangles.
pub(crate) fn cloth(world: &mut PhysicsWorld, side: u32, frequency: Option<f32>) {
    const WIDTH: f32 = 2.0;
    ground(world);
    fixed(world, Vector::new(0.0, 0.8, 0.0), ColliderBuilder::ball(0.5));
    let step = WIDTH / (side - 1) as f32;
    let index = |x: u32, z: u32| x * side + z;
    let place = |k: u32| k as f32 * step - 0.5 * WIDTH;
    let positions = (0..side * side).map(|i| Vector::new(place(i / side) + 0.25, 1.5, place(i % side) + 0.1)).collect();
    let mut faces = Vec::new();
    for (x, z) in (0..side - 1).flat_map(|x| (0..side - 1).map(move |z| (x, z))) {
        faces.push([index(x, z), index(x, z + 1), index(x + 1, z + 1)]);
        faces.push([index(x, z), index(x + 1, z + 1), index(x + 1, z)]);
    }
    let builder = SoftBodyBuilder::new(positions).surface(faces);
    let (edges, dihedrals) = (builder.surface_edges(), builder.surface_dihedrals());
    let builder = builder.edges(edges).dihedrals(dihedrals).particle_radius(0.49 * step).mass(0.8);
    world.insert_soft_body(builder.material(material(frequency)).can_sleep(false));
}

/// A block of 20 x 20 x 40 cells of five tetrahedra, 1 x 1 x 2 m, dropped from half a meter.
pub(crate) fn tets(world: &mut PhysicsWorld, frequency: Option<f32>) {
    ground(world);
    let block = SoftBodyBuilder::cuboid(Vector::new(0.0, 1.0, 0.0), Vector::new(0.5, 0.5, 1.0), 21, 21, 41);
    let edges = block.cell_edges();
    world.insert_soft_body(block.edges(edges).mass(2000.0).material(material(frequency)).can_sleep(false));
}
