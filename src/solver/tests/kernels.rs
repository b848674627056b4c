//! Kernels alone, against plain references: the hash grid against a sort, the rotation fit against a decomposition.

use bytemuck::Zeroable;
use glam::{DMat3, DQuat, DVec3, Mat3, Quat, Vec3};
use nalgebra::Matrix3;

use crate::gpu::Context;
use crate::gpu::wgpu::BufferUsages;
use crate::gpu::wgsl::common::body::PHASE_STILL as STILL;
use crate::gpu::wgsl::common::grid::{Proxy, SORTED_ROWS};
use crate::gpu::wgsl::narrow_phase::precedes::{LONG_LIST, SHORT_LIST};
use crate::gpu::{BoundKernel, Buffers, Kernel};
use crate::scene::{BodyDesc, Phase, Scene, Shape};
use crate::solver::stages::broad_phase;
use crate::solver::stages::fluid::FluidRow;
use crate::solver::stages::ground::{NONE, cell_count};
use crate::solver::stages::rows::{BodyProperties, BodyState, Control, Link, ParamsRow, quat, vec4};
use crate::solver::stages::stage::{Frame, Gate};
use crate::solver::upload::tables::Tables;

/// Powers of two, so that dividing by them is exact and the reference finds the same cells.
const CELL: f32 = 0.25;
const SMALL_CELL: f32 = 0.125;
/// How far a body may move until the next search [m].
const BODY_MARGIN: f32 = 0.03;

/// Number of a search, to mark cells with.
const SEARCH: u32 = 7;

/// Seeded random numbers (xorshift, Marsaglia 2003), uniform in -1..1.
pub(in crate::solver) struct Random(pub(super) u32);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 8) as f32 / 8_388_608.0 - 1.0
    }

    pub(in crate::solver) fn vector(&mut self, half: f32) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next()) * half
    }

    fn rotation(&mut self) -> Quat {
        let axis = self.vector(1.0).try_normalize().unwrap_or(Vec3::X);
        Quat::from_axis_angle(axis, 3.0 * self.next())
    }
}

/// Runs the passes of a search as if all gates were open.
pub(super) fn run_gates(context: &Context, buffers: &Buffers, search: &Frame) {
    let bind = |gate: &Gate| {
        let kernel = Kernel::new(context, gate.pass.kernel, &[]).unwrap();
        (kernel.bind_as(context, buffers, gate.pass.name, gate.pass.renamed).unwrap(), gate.threads)
    };
    run(context, search.gates.iter().map(bind).collect());
}

/// Runs a kernel on so many threads.
pub(in crate::solver) fn dispatch(context: &Context, buffers: &Buffers, kernel: &'static str, threads: u32) {
    let bound = Kernel::new(context, kernel, &[]).unwrap().bind(context, buffers).unwrap();
    run(context, vec![(bound, threads)]);
}

fn run(context: &Context, bound: Vec<(BoundKernel, u32)>) {
    context.run("alone", |encoder| {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        for (kernel, threads) in &bound {
            kernel.dispatch(&mut pass, *threads, 0);
        }
    });
    assert!(context.take_errors().is_empty());
}

fn pose(center: Vec3, rotation: Quat) -> BodyState {
    BodyState {
        center: center.to_array(),
        inv_mass: 1.0,
        rotation: quat(rotation),
        margin: BODY_MARGIN,
        ..BodyState::default()
    }
}

/// `common/grid` in plain Rust.
fn bucket(at: [f32; 4], free: bool, cells: u32) -> u32 {
    let size = if free { SMALL_CELL } else { CELL };
    bucket_of([at[0], at[1], at[2]].map(|x| (x / size).floor() as i32), free, cells)
}

fn bucket_of(cell: [i32; 3], free: bool, cells: u32) -> u32 {
    let block = |axis: usize| (cell[axis] >> 2) as u32;
    let hash =
        block(0).wrapping_mul(73_856_093) ^ block(1).wrapping_mul(19_349_663) ^ block(2).wrapping_mul(83_492_791);
    let level = if free { 50_331_653 } else { 0 };
    let [x, y, z] = cell.map(|c| c as u32 & 3);
    ((hash ^ level).wrapping_mul(64) + (x | y << 2 | z << 4)) & (cells - 1)
}

/// Random proxies, every third one free, the others on one of two posed bodies.
struct Proxies {
    rows: Vec<Proxy>,
    bodies: [BodyState; 2],
    particles: Vec<[f32; 4]>,
}

impl Proxies {
    fn random(count: usize, seed: u32) -> Self {
        let mut random = Random(seed);
        let bodies = [pose(random.vector(1.0), random.rotation()), pose(random.vector(1.0), random.rotation())];
        // About four proxies a cell, on both sides of the origin: buckets with none, one and many.
        let half = 0.5 * CELL * (count as f32 / 4.0).cbrt().max(1.0);
        let particles = (0..count).map(|_| vec4(random.vector(half), 0.05)).collect();
        let row = |i: usize| {
            let free = i.is_multiple_of(3);
            Proxy {
                local: vec4(random.vector(half), 0.1),
                body: if free { NONE } else { i as u32 % 2 },
                particle: if free { i as u32 } else { NONE },
                phase: [0, Phase::GHOST.0, Phase::LIMITER.0, Phase::MEETS_ITSELF.0, Phase::LIQUID.0][i % 5],
                ..Proxy::default()
            }
        };
        Self { rows: (0..count).map(row).collect(), bodies, particles }
    }

    fn position(&self, i: usize) -> Vec3 {
        let (row, at) = (&self.rows[i], |v: [f32; 4]| Vec3::new(v[0], v[1], v[2]));
        if row.body == NONE {
            return at(self.particles[i]);
        }
        let body = &self.bodies[row.body as usize];
        Vec3::from(body.center) + Quat::from_array(body.rotation) * at(row.local)
    }

    fn buffers(&self, context: &Context, sizes: &broad_phase::Stage) -> Buffers {
        let (count, cells) = (self.rows.len(), sizes.cells as usize);
        let params = ParamsRow {
            proxy_count: sizes.proxies,
            cell_mask: sizes.cells - 1,
            cell_size: CELL,
            small_cell_size: SMALL_CELL,
            meeting_balls: sizes.proxies,
            particle_radius: 0.05,
            substep_dt: 1.0 / 480.0,
            search_stride: 1,
            ..ParamsRow::default()
        };
        let mut b = Buffers::new(context);
        b.create_uniform("params", &[params]).unwrap();
        b.create_uniform("fluid", &[FluidRow { particle_count: 1, ..FluidRow::default() }]).unwrap();
        b.create_with("control", &[Control { searches: SEARCH, ..Control::default() }]).unwrap();
        b.create_with("bodies", &self.bodies).unwrap();
        b.create_with("particles", &self.particles).unwrap();
        b.create_with("proxies", &self.rows).unwrap();
        // Every other particle has no inverse mass.
        let velocities: Vec<[f32; 4]> = (0..count).map(|i| [1.0, 0.0, 0.0, (i % 2) as f32]).collect();
        b.create_with("particle_velocities", &velocities).unwrap();
        b.create::<f32>("particle_margins", count, BufferUsages::empty()).unwrap();
        b.create::<[f32; 4]>("proxy_positions", count, BufferUsages::empty()).unwrap();
        b.create_texture("sorted_proxies", SORTED_ROWS as usize * count).unwrap();
        for (name, len) in [
            ("proxy_buckets", count),
            ("bucket_proxies", count),
            ("cell_counts", cells),
            ("cell_starts", 2 * cells + 1),
            ("block_sums", cells / 1024),
        ] {
            b.create::<u32>(name, len, BufferUsages::empty()).unwrap();
        }
        b
    }
}

#[test]
fn the_grid_sorts_by_bucket_then_id() {
    let context = Context::shared().expect("adapter");
    for count in [0, 1, 63, 64, 65, 100_003] {
        let proxies = Proxies::random(count, 7 + count as u32);
        let sizes =
            broad_phase::Stage { proxies: count as u32, cells: cell_count(count), ..broad_phase::Stage::default() };
        let buffers = proxies.buffers(&context, &sizes);
        let mut search = Frame::default();
        sizes.search(&mut search);
        // What lists candidates is no part of the grid.
        search.gates.retain(|gate| gate.pass.name != "broad_phase/candidates");
        assert_eq!(search.gates.len(), if count > 0 { 6 } else { 0 });
        // Twice: a search must leave the counters as it found them.
        for _ in 0..2 {
            run_gates(&context, &buffers, &search);
            check_grid(&proxies, &sizes, &buffers);
        }
    }
}

#[test]
fn long_lists_of_contacts_are_sorted_and_others_left() {
    let context = Context::shared().expect("adapter");
    let lengths: [u32; 13] = [0, 1, 63, 64, 65, 66, 128, 700, 1023, 1024, 1025, 1026, 100_003];
    let (mut properties, mut lists, mut unsorted) = (Vec::new(), Vec::new(), Vec::new());
    for length in lengths {
        // Every second list has one contact more than its room.
        let room = length - length % 2;
        let row =
            BodyProperties { first_reverse: unsorted.len() as u32, reverse_capacity: room, ..BodyProperties::zeroed() };
        let mut list: Vec<[u32; 2]> = (0..room).map(|k| [if k % 3 == 0 { NONE } else { k % 5 }, k]).collect();
        list.sort_by_key(|contact| contact[1].wrapping_mul(0x9e37_79b9));
        properties.push(row);
        unsorted.extend_from_slice(&list);
        lists.push(list);
    }
    let mut buffers = Buffers::new(&context);
    let params = ParamsRow { body_count: lengths.len() as u32, reverse_factor: 1, ..ParamsRow::default() };
    buffers.create_uniform("params", &[params]).unwrap();
    buffers.create_with("body_properties", &properties).unwrap();
    buffers.create_with("reverse_counts", &lengths).unwrap();
    buffers.create_with("reverse_unsorted", &unsorted).unwrap();
    buffers.create::<[u32; 2]>("reverse_contacts", unsorted.len(), BufferUsages::empty()).unwrap();
    dispatch(&context, &buffers, "narrow_phase/order_long", 2 * 32);
    let sorted: Vec<[u32; 2]> = buffers.read("reverse_contacts").unwrap();
    for (row, mut list) in properties.iter().zip(lists) {
        list.sort_unstable();
        if !(SHORT_LIST + 1..=LONG_LIST).contains(&(list.len() as u32)) {
            list.fill([0; 2]);
        }
        assert_eq!(sorted[row.first_reverse as usize..][..list.len()], list, "{} contacts", list.len());
    }
}

fn check_grid(proxies: &Proxies, sizes: &broad_phase::Stage, buffers: &Buffers) {
    let count = proxies.rows.len();
    let positions: Vec<[f32; 4]> = buffers.read("proxy_positions").unwrap();
    let margin: Vec<f32> = buffers.read("particle_margins").unwrap();
    for (i, at) in positions.iter().enumerate() {
        let expected = proxies.position(i);
        let off = Vec3::new(at[0], at[1], at[2]).distance(expected);
        assert!(off < 1e-5 * expected.length().max(1.0), "{count}: proxy {i} is {off} m off");
        // A body brings its own margin; a free particle gets one and remembers it.
        let row = &proxies.rows[i];
        let margin = if row.body == NONE { margin[row.particle as usize] } else { BODY_MARGIN };
        assert!(margin > 0.0 && (at[3] - row.local[3] - margin).abs() < 1e-6, "{count}: proxy {i} reaches {}", at[3]);
    }
    let mut order: Vec<u32> = (0..count as u32).collect();
    let buckets: Vec<u32> =
        positions.iter().zip(&proxies.rows).map(|(at, row)| bucket(*at, row.body == NONE, sizes.cells)).collect();
    order.sort_by_key(|i| (buckets[*i as usize], *i));
    let mut starts = vec![0_u32; sizes.cells as usize + 1];
    buckets.iter().for_each(|b| starts[*b as usize + 1] += 1);
    for cell in 0..sizes.cells as usize {
        starts[cell + 1] += starts[cell];
    }
    assert_eq!(buffers.read::<u32>("proxy_buckets").unwrap(), buckets, "{count}: buckets");
    let found: Vec<u32> = buffers.read("cell_starts").unwrap();
    assert!(found[..starts.len()] == starts, "{count}: starts");
    let mut marks = vec![0; sizes.cells as usize];
    for (at, row) in positions.iter().zip(&proxies.rows) {
        let phase = Phase(row.phase);
        if phase.contains(Phase::GHOST) || phase.contains(Phase::LIQUID) {
            continue;
        }
        let size = if row.body == NONE { SMALL_CELL } else { CELL };
        let center = [at[0], at[1], at[2]].map(|x| (x / size).floor() as i32);
        for n in 0..27 {
            let around = [center[0] + n % 3 - 1, center[1] + n / 3 % 3 - 1, center[2] + n / 9 - 1];
            marks[bucket_of(around, row.body == NONE, sizes.cells) as usize] = SEARCH;
        }
    }
    assert!(found[starts.len()..] == marks, "{count}: marks");
    assert!(buffers.read::<u32>("cell_counts").unwrap().iter().all(|c| *c == 0), "{count}: counters left over");
    let sorted: Vec<[u32; 4]> = buffers.read_texture("sorted_proxies").unwrap();
    let sorted: Vec<_> = sorted.chunks_exact(SORTED_ROWS as usize).collect();
    assert_eq!(sorted.iter().map(|s| s[1][0]).collect::<Vec<_>>(), order, "{count}: order");
    for s in &sorted {
        let (row, position) = (&proxies.rows[s[1][0] as usize], positions[s[1][0] as usize]);
        let still = if row.body == NONE && row.particle.is_multiple_of(2) { STILL } else { 0 };
        assert_eq!((s[0], &s[1][1..]), (position.map(f32::to_bits), &[row.body, row.particle, row.phase | still][..]));
    }
}

/// The rotation nearest to `a`: U Vᵀ of its singular value decomposition, without reflection.
fn polar(a: DMat3) -> DQuat {
    let svd = Matrix3::from_fn(|r, c| a.col(c)[r]).svd(true, true);
    let (u, v_t) = (svd.u.unwrap(), svd.v_t.unwrap());
    // Singular values are sorted, so a reflection is undone along the least one.
    let least = Matrix3::from_diagonal(&[1.0, 1.0, (u * v_t).determinant().signum()].into());
    let r = u * least * v_t;
    DQuat::from_mat3(&DMat3::from_cols_array_2d(&[0, 1, 2].map(|c| [r[(0, c)], r[(1, c)], r[(2, c)]])))
}

/// `Σ m (x - x̄)(r - r̄)ᵀ` and the particles' own inertia in the predicted turn; and the mean of the particles.
fn moments(tables: &Tables, particles: &[[f32; 4]], predicted: DQuat) -> (DMat3, DVec3, DVec3) {
    let vector = |v: [f32; 4]| DVec3::new(v[0].into(), v[1].into(), v[2].into());
    let of = |place: fn(&Link, &[[f32; 4]]) -> [f32; 4]| {
        let mass: f64 = tables.bodies.links.iter().map(|l| f64::from(l.local[3])).sum();
        tables.bodies.links.iter().map(|l| f64::from(l.local[3]) * vector(place(l, particles))).sum::<DVec3>() / mass
    };
    let mean = of(|l, p| p[l.particle as usize]);
    let rest = of(|l, _| l.local);
    let mut a = DMat3::ZERO;
    for l in &tables.bodies.links {
        let (x, r) = (vector(particles[l.particle as usize]) - mean, vector(l.local) - rest);
        let own = 0.2 * f64::from(particles[l.particle as usize][3]).powi(2);
        let outer = DMat3::from_cols(x * r.x, x * r.y, x * r.z);
        a += f64::from(l.local[3]) * (outer + own * DMat3::from_quat(predicted));
    }
    (a, mean, rest)
}

/// A body of these points.
fn body_of(points: Vec<Vec3>) -> BodyDesc {
    BodyDesc::new("points", Shape::Sphere(0.05), 2.0, Mat3::from_diagonal(Vec3::new(0.02, 0.03, 0.04)), points, 0.05)
}

/// Runs `bodies/fit` on particles that were turned by `spin` [rad] from the body's rotation, moved and shaken by
/// `noise` [m]. Returns how far rotation [rad] and centre [m] are from the decomposition's.
fn fit_error(context: &Context, points: &[Vec3], spin: Vec3, noise: f32, random: &mut Random) -> (f64, f64) {
    let (rotation, center, shift) = (random.rotation(), random.vector(20.0), random.vector(0.02));
    let mut scene = Scene::default();
    scene.add_body(body_of(points.to_vec()).at(center).rotated(rotation)).unwrap();
    let tables = Tables::new(&scene);
    let turned = Quat::from_scaled_axis(spin) * rotation;
    let particles: Vec<[f32; 4]> =
        points.iter().map(|p| vec4(center + shift + turned * *p + random.vector(noise), 0.05)).collect();
    let predicted = DQuat::from_array(tables.bodies.states[0].rotation.map(f64::from)).normalize();
    let (a, mean, rest) = moments(&tables, &particles, predicted);
    let expected = polar(a);

    let params = ParamsRow { body_count: 1, substep_dt: 1.0 / 480.0, ..ParamsRow::default() };
    let mut buffers = Buffers::new(context);
    buffers.create_uniform("params", &[params]).unwrap();
    buffers.create_with("bodies", &tables.bodies.states).unwrap();
    buffers.create_with("body_properties", &tables.bodies.properties).unwrap();
    buffers.create_with("links", &tables.bodies.links).unwrap();
    buffers.create_with("particles", &particles).unwrap();
    dispatch(context, &buffers, "bodies/fit", 1);
    let fitted = buffers.read::<BodyState>("bodies").unwrap()[0];

    let found = DQuat::from_array(fitted.rotation.map(f64::from)).normalize();
    let [x, y, z] = fitted.center.map(f64::from);
    let goal = mean - expected * rest;
    let off = (found * expected.inverse()).xyz().length();
    (2.0 * off.min(1.0).asin(), DVec3::new(x, y, z).distance(goal))
}

#[test]
fn the_fitted_rotation_nears_that_of_the_polar_decomposition() {
    let context = Context::shared().expect("adapter");
    let mut random = Random(99);
    let lattice = |x: i32, y: i32, z: i32| -> Vec<Vec3> {
        (0..x * y * z).map(|i| Vec3::new((i % x) as f32, (i / x % y) as f32, (i / x / y) as f32) * 0.1).collect()
    };
    let centered = |points: Vec<Vec3>| -> Vec<Vec3> {
        let mean = points.iter().sum::<Vec3>() / points.len() as f32;
        points.into_iter().map(|p| p - mean).collect()
    };
    // Each round leaves the square of a turn, and so does the sum of their turns; a line leaves nothing.
    for (name, left, points) in [
        ("full", 0.08, centered(lattice(4, 3, 5))),
        ("flat", 0.3, centered(lattice(6, 4, 1))),
        ("thin", 1e-5, centered(lattice(7, 1, 1))),
        ("a single particle", 1e-5, centered(lattice(1, 1, 1))),
        ("off center", 0.02, lattice(3, 3, 3)),
    ] {
        for (angle, noise) in [(0.0, 0.0), (0.01, 0.002), (0.1, 0.005), (0.4, 0.005)] {
            // What turns about a line is as light as its particles are small: rounding moves it farther.
            let rounding = if name == "thin" { 1.1e-6 } else { 1e-6 };
            let allowed = rounding + (left * f64::from(angle)).min(0.02 * f64::from(angle * angle));
            let (mut worst, mut worst_center) = (0.0_f64, 0.0_f64);
            for _ in 0..20 {
                let spin = random.vector(1.0).normalize() * angle;
                let (off, center) = fit_error(&context, &points, spin, noise, &mut random);
                worst = worst.max(off);
                worst_center = worst_center.max(center);
            }
            println!("{name}, {angle} rad from the prediction: {worst:.2e} rad, {worst_center:.2e} m off");
            assert!(worst < allowed, "{name}, {angle} rad from the prediction: {worst} rad off");
            assert!(worst_center < 1e-5 + 0.2 * allowed, "{name}: center {worst_center} m off");
        }
    }
}

/// Angles and small turns at the points where built-in functions promise nothing: zero, denormal numbers, the axes.
const ANGLES: &str = "
    #import \"common/thread\"
    #import \"common/rotation\"
    struct Batch { count: u32 }
    @group(0) @binding(0) var<uniform> batch: Batch;
    @group(1) @binding(0) var<storage, read> points: array<vec4<f32>>;
    @group(1) @binding(1) var<storage, read_write> angles: array<vec4<f32>>;
    @compute @workgroup_size(WORKGROUP)
    fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
        let i = global_index(id, groups);
        if i >= batch.count { return; }
        let q = points[i];
        angles[i] = vec4<f32>(rotation_vector(q), angle_of(q.y, q.w));
    }";

#[test]
fn angles_are_right_where_built_in_functions_promise_nothing() {
    let mut points = Vec::new();
    for tiny in [0.0, 1e-42, 1e-38, 1e-30, 1e-20, 1e-12, 1e-8, 1e-6, 1e-4, 1.1e-4, 1e-3, 0.1, 0.5, 0.7, 0.999, 1.0] {
        for (sine, cosine) in [(tiny, 1.0), (-tiny, 1.0), (tiny, -1.0), (-tiny, -1.0), (1.0, tiny), (-1.0, -tiny)] {
            let size = f64::hypot(sine, cosine);
            points.push([0.0, (sine / size) as f32, 0.0, (cosine / size) as f32]);
        }
    }
    let context = Context::shared().expect("adapter");
    let kernel = Kernel::from_source(&context, "test/angles", ANGLES, &[]).unwrap();
    let mut buffers = Buffers::new(&context);
    buffers.create_uniform("batch", &[[points.len() as u32]]).unwrap();
    buffers.create_with("points", &points).unwrap();
    buffers.create::<[f32; 4]>("angles", points.len(), BufferUsages::empty()).unwrap();
    let bound = kernel.bind(&context, &buffers).unwrap();
    run(&context, vec![(bound, points.len() as u32)]);
    for (point, found) in points.iter().zip(buffers.read::<[f32; 4]>("angles").unwrap()) {
        let [y, w] = [point[1], point[3]].map(f64::from);
        let angle = y.atan2(w);
        let off = (f64::from(found[3]) - angle).abs();
        // Half a turn either way is the same place, and 0 has no sign.
        assert!(off.min(std::f64::consts::TAU - off) < 3e-6, "{point:?}: {} for {angle}", found[3]);
        let short = 2.0 * (y * w.signum()).atan2(w.abs());
        let off = (f64::from(found[1]) - short).abs();
        let turned = off.min(std::f64::consts::TAU - off);
        assert!(turned < 6e-6 && turned <= 1e-4 * short.abs() + 1e-37, "{point:?}: {} for {short}", found[1]);
        assert_eq!([found[0], found[2]], [0.0; 2]);
    }
}
