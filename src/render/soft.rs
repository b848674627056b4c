//! Surfaces that follow particles on the GPU: all copies of one shell are one group, placed by two passes each frame.

use std::sync::Arc;

use glam::Vec3;

use super::canvas::Canvas;
use super::error::RenderError;
use super::geometry::{InstanceRow, POINT_LAYOUT, PointVertex, buffer, most_copies, point_vertex};
use super::material::{Look, Looks};
use super::surfaces::{Layer, SurfacePipelines};
use super::torn::{self, Corners, Torn};
use crate::gpu::wgsl::render::point::{Anchor as AnchorRow, PlacedPoint};
use crate::gpu::{Context, GpuError, Group, Kernel};
use crate::scene::{Scene, Seams, Shell, SurfaceMesh};
use crate::solver::SolverView;

/// Triangles of one material.
#[derive(Clone, Debug)]
struct Part {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    index_count: u32,
    look: Look,
}

/// What all copies of a shell share; a clone shares the buffers.
#[derive(Clone, Debug)]
struct Form {
    shell: Arc<Shell>,
    parts: Vec<Part>,
    anchors: wgpu::Buffer,
    fan_starts: wgpu::Buffer,
    fans: wgpu::Buffer,
    points: u32,
    /// Only of surfaces that tear.
    torn: Option<Torn>,
}

/// A shell and its copies.
#[derive(Debug)]
struct Copies {
    form: Form,
    count: u32,
    /// First particle of each copy.
    firsts: wgpu::Buffer,
    /// Rows of the copies.
    rows: wgpu::Buffer,
    placed: wgpu::Buffer,
    /// `placed` for drawing.
    bound: Group,
}

/// How surfaces that follow particles are placed and drawn.
#[derive(Debug)]
pub(super) struct SoftPipelines {
    points: Kernel,
    normals: Kernel,
    /// Normals of what tears.
    torn_normals: Kernel,
    tear: Kernel,
    pub(super) surfaces: SurfacePipelines,
}

impl SoftPipelines {
    pub(super) fn new(context: &Context, canvas: Canvas) -> Result<Self, GpuError> {
        let kernel = |name| Kernel::new(context, name, &[]);
        let tears = [("TEARS", 1.0)];
        Ok(Self {
            points: kernel("render/points")?,
            normals: kernel("render/normals")?,
            torn_normals: Kernel::new(context, "render/normals", &tears)?,
            tear: kernel("render/tear")?,
            surfaces: SurfacePipelines::new(
                context,
                canvas,
                ["render/soft_surface", "render/soft_shadow"],
                POINT_LAYOUT,
            )?,
        })
    }
}

/// Everything that follows particles.
#[derive(Debug)]
pub(super) struct Soft {
    pipelines: Arc<SoftPipelines>,
    groups: Vec<Copies>,
}

impl Soft {
    /// Uploads the surfaces of `scene`; shells that `old` holds already are taken from there. What tears is a group of its
    /// own each, because it tears by itself.
    pub(super) fn new(
        context: &Context,
        pipelines: &Arc<SoftPipelines>,
        looks: &Looks,
        scene: &Scene,
        old: Option<&Self>,
    ) -> Result<Self, RenderError> {
        let known = old.map_or(&[][..], |o| &o.groups);
        let mut groups = Vec::new();
        let seams = Seams::new(scene);
        for (shell, copies) in grouped(&scene.surfaces) {
            let (torn, whole): (Vec<_>, Vec<_>) = copies.into_iter().partition(|copy| torn::tears(&seams, copy));
            for surface in torn {
                let form = Form::of_corners(context, looks, shell, &Corners::new(&seams, surface))?;
                groups.push(Copies::new(context, pipelines, form, &[surface])?);
            }
            if whole.is_empty() {
                continue;
            }
            let same = |k: &&Copies| k.form.torn.is_none() && Arc::ptr_eq(&k.form.shell, shell);
            let form = match known.iter().find(same) {
                Some(same) => same.form.clone(),
                None => Form::new(context, looks, shell)?,
            };
            let most = most_copies(context, size_of::<PlacedPoint>() as u64 * u64::from(form.points));
            for some in whole.chunks(most) {
                groups.push(Copies::new(context, pipelines, form.clone(), some)?);
            }
        }
        Ok(Self { pipelines: Arc::clone(pipelines), groups })
    }

    /// Records the placing of all points on the particles of `solver`, then their normals.
    pub(super) fn place(
        &self,
        context: &Context,
        pass: &mut wgpu::ComputePass<'_>,
        solver: &SolverView<'_>,
    ) -> Result<(), GpuError> {
        let SoftPipelines { points, normals, torn_normals, tear, .. } = &*self.pipelines;
        for group in &self.groups {
            let Form { anchors, fan_starts, fans, torn, points: count, .. } = &group.form;
            let given = [
                ("particles", solver.particles.into()),
                ("anchors", anchors.into()),
                ("first_particles", (&group.firsts).into()),
                ("fan_starts", fan_starts.into()),
                ("fans", fans.into()),
                ("placed_points", (&group.placed).into()),
            ];
            let mut normals = normals;
            if let Some(torn) = torn {
                torn.record(context, tear, pass, [solver.tear_corners, &group.firsts, anchors])?;
                normals = torn_normals;
            }
            for kernel in [points, normals] {
                kernel.bind_to(context, &given)?.dispatch_rows(pass, *count, group.count);
            }
        }
        Ok(())
    }

    /// Whether any of it is blended with what is behind it.
    pub(super) fn blends(&self) -> bool {
        self.groups.iter().any(|group| group.form.parts.iter().any(|part| part.look.blended))
    }

    /// Draws a layer of all copies; the frame is bound already.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layer: Layer) {
        for group in &self.groups {
            group.bound.set(pass);
            pass.set_vertex_buffer(1, group.rows.slice(..));
            for part in &group.form.parts {
                let Some(pipeline) = self.pipelines.surfaces.of(layer, &part.look) else { continue };
                pipeline.set(pass);
                part.look.group.set(pass);
                pass.set_vertex_buffer(0, part.vertices.slice(..));
                pass.set_index_buffer(part.indices.slice(..), wgpu::IndexFormat::Uint32);
                pass.draw_indexed(0..part.index_count, 0, 0..group.count);
            }
        }
    }

    /// Placed points of a group, for tests.
    #[cfg(test)]
    pub(super) fn placed(&self, group: usize) -> &wgpu::Buffer {
        &self.groups[group].placed
    }
}

impl Form {
    fn new(context: &Context, looks: &Looks, shell: &Arc<Shell>) -> Result<Self, RenderError> {
        let (fan_starts, fans) = fans(shell);
        let part = |(part, points): (&crate::scene::Primitive, &Vec<u32>)| {
            let vertices = points.iter().enumerate().map(|(i, point)| point_vertex(part, i, *point)).collect();
            (vertices, part.indices.clone())
        };
        let parts: Vec<_> = shell.model.primitives.iter().zip(&shell.vertex_points).map(part).collect();
        Self::upload(
            context,
            looks,
            shell,
            &parts,
            [bytemuck::cast_slice(&anchors(shell)), bytemuck::cast_slice(&fan_starts), bytemuck::cast_slice(&fans)],
            None,
        )
    }

    /// Of a surface that tears.
    fn of_corners(
        context: &Context,
        looks: &Looks,
        shell: &Arc<Shell>,
        corners: &Corners,
    ) -> Result<Self, RenderError> {
        let Corners { parts, anchors, fan_starts, fans, .. } = corners;
        let rows = [bytemuck::cast_slice(anchors), bytemuck::cast_slice(fan_starts), bytemuck::cast_slice(fans)];
        Self::upload(context, looks, shell, parts, rows, Some(Torn::new(context, corners)))
    }

    /// `rows` are anchors, where fans start, and fans.
    fn upload(
        context: &Context,
        looks: &Looks,
        shell: &Arc<Shell>,
        parts: &[(Vec<PointVertex>, Vec<u32>)],
        rows: [&[u8]; 3],
        torn: Option<Torn>,
    ) -> Result<Self, RenderError> {
        let looks = looks.of(context, &shell.model)?;
        let upload = |label, bytes: &[u8]| buffer(context, label, bytes, wgpu::BufferUsages::STORAGE);
        let part = |((vertices, indices), part): (&(Vec<PointVertex>, Vec<u32>), &crate::scene::Primitive)| Part {
            vertices: buffer(context, "soft", bytemuck::cast_slice(vertices), wgpu::BufferUsages::VERTEX),
            indices: buffer(context, "soft", bytemuck::cast_slice(indices), wgpu::BufferUsages::INDEX),
            index_count: indices.len() as u32,
            look: looks[part.material].clone(),
        };
        Ok(Self {
            shell: Arc::clone(shell),
            parts: parts.iter().zip(&shell.model.primitives).map(part).collect(),
            anchors: upload("anchors", rows[0]),
            fan_starts: upload("fan starts", rows[1]),
            fans: upload("fans", rows[2]),
            points: (rows[0].len() / size_of::<AnchorRow>()) as u32,
            torn,
        })
    }
}

impl Copies {
    fn new(
        context: &Context,
        pipelines: &SoftPipelines,
        form: Form,
        copies: &[&SurfaceMesh],
    ) -> Result<Self, GpuError> {
        let count = form.points as usize;
        let firsts: Vec<u32> = copies.iter().map(|s| s.first_particle.0).collect();
        let row = |(surface, copy): (&&SurfaceMesh, u32)| InstanceRow {
            tint: surface.tint.to_array(),
            base: copy * count as u32,
            pad: [0; 3],
        };
        let rows: Vec<InstanceRow> = copies.iter().zip(0..).map(row).collect();
        let storage = wgpu::BufferUsages::STORAGE;
        let zero = vec![0; size_of::<PlacedPoint>() * count * copies.len()];
        let placed = buffer(context, "placed points", &zero, storage | wgpu::BufferUsages::COPY_SRC);
        Ok(Self {
            count: copies.len() as u32,
            firsts: buffer(context, "first particles", bytemuck::cast_slice(&firsts), storage),
            rows: buffer(context, "copies", bytemuck::cast_slice(&rows), wgpu::BufferUsages::VERTEX),
            bound: pipelines.surfaces.lit().bind(context, &[("placed_points", (&placed).into())])?,
            placed,
            form,
        })
    }
}

/// Each shell with its copies, in order of first appearance.
fn grouped(surfaces: &[SurfaceMesh]) -> Vec<(&Arc<Shell>, Vec<&SurfaceMesh>)> {
    let mut groups: Vec<(&Arc<Shell>, Vec<&SurfaceMesh>)> = Vec::new();
    let mut place = std::collections::HashMap::new();
    for surface in surfaces {
        let index = *place.entry(Arc::as_ptr(&surface.shell)).or_insert(groups.len());
        if index == groups.len() {
            groups.push((&surface.shell, Vec::new()));
        }
        groups[index].1.push(surface);
    }
    groups
}

/// Rows of the points, each with the rest place of one of its vertices.
fn anchors(shell: &Shell) -> Vec<AnchorRow> {
    let mut rest = vec![Vec3::ZERO; shell.points.len()];
    for (part, points) in shell.model.primitives.iter().zip(&shell.vertex_points) {
        part.positions.iter().zip(points).for_each(|(p, point)| rest[*point as usize] = *p);
    }
    let row = |(point, rest): (&crate::scene::Anchor, Vec3)| AnchorRow {
        particles: point.particles,
        weights: point.weights,
        rest: rest.extend(1.0).to_array(),
    };
    shell.points.iter().zip(rest).map(row).collect()
}

/// Where the triangles around each point begin, and of each the other two corners in its turning sense.
fn fans(shell: &Shell) -> (Vec<u32>, Vec<[u32; 2]>) {
    let parts = shell.model.primitives.iter().zip(&shell.vertex_points);
    let corners = || parts.clone().flat_map(|(part, points)| part.indices.iter().map(|i| points[*i as usize]));
    let corners: Vec<u32> = corners().collect();
    let mut starts = vec![0; shell.points.len() + 1];
    corners.iter().for_each(|point| starts[*point as usize + 1] += 1);
    (0..shell.points.len()).for_each(|i| starts[i + 1] += starts[i]);
    let mut next = starts.clone();
    let mut fans = vec![[0; 2]; corners.len()];
    for t in corners.chunks_exact(3) {
        for [point, a, b] in [[t[0], t[1], t[2]], [t[1], t[2], t[0]], [t[2], t[0], t[1]]] {
            fans[next[point as usize] as usize] = [a, b];
            next[point as usize] += 1;
        }
    }
    (starts, fans)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Renderer;
    use crate::scene::{Deformable, Material, SheetGrid, SheetMaterial};
    use glam::{Quat, Vec4};

    #[test]
    fn of_copies_of_one_shell_each_tears_that_is_made_to() {
        let context = Context::shared().expect("adapter");
        let grid = SheetGrid::square(4, 1.0);
        let shell = Arc::new(Shell::on_particles(&grid.positions(), &grid.triangles(), &[], Material::default()));
        for order in [[false, true, false], [true, false, true], [true, true, false]] {
            let mut scene = Scene::default();
            let add = |scene: &mut Scene, tears: bool| {
                let material = SheetMaterial::default();
                let mut cloth =
                    Deformable::sheet("cloth", grid.positions(), &grid.triangles(), 0.1, &material).unwrap();
                cloth.tearing = tears.then_some(0.05);
                let at = Vec3::X * 2.0 * scene.surfaces.len() as f32;
                let id = scene.add_deformable(&cloth, at, Quat::IDENTITY, Vec3::ZERO).unwrap();
                scene.draw_shell(id, &shell, Vec4::ONE).unwrap();
            };
            let [first, rest @ ..] = order;
            add(&mut scene, first);
            let format = wgpu::TextureFormat::Rgba8UnormSrgb;
            let mut renderer = Renderer::new(&context, &scene, format).expect("a renderer");
            rest.into_iter().for_each(|tears| add(&mut scene, tears));
            renderer.update_scene(&context, &scene).expect("more of it");
            let torn = renderer.soft.groups.iter().filter(|group| group.form.torn.is_some());
            let whole = renderer.soft.groups.iter().filter(|group| group.form.torn.is_none());
            let copies = [torn.map(|g| g.count).sum::<u32>(), whole.map(|g| g.count).sum::<u32>()];
            let tearing = order.into_iter().filter(|tears| *tears).count() as u32;
            assert_eq!(copies, [tearing, 3 - tearing], "{order:?}");
        }
    }

    #[test]
    fn copies_that_one_buffer_does_not_hold_are_drawn_from_several() {
        let context = Context::shared().expect("adapter");
        let grid = SheetGrid::square(245, 2.0);
        let shell = Arc::new(Shell::on_particles(&grid.positions(), &grid.triangles(), &[], Material::default()));
        let room = context.device.limits().max_storage_buffer_binding_size.min(context.device.limits().max_buffer_size);
        let copies = (room / (size_of::<PlacedPoint>() * shell.points.len()) as u64 + 2) as u32;
        if copies > 200 {
            // A device with more room than there is memory to fill has no such limit.
            return;
        }
        let mut scene = Scene::default();
        let cloth = Deformable::new("cloth", grid.positions(), 1.0, 0.1);
        let id = scene.add_deformable(&cloth, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        (0..copies).for_each(|_| scene.draw_shell(id, &shell, Vec4::ONE).unwrap());
        let renderer = Renderer::new(&context, &scene, wgpu::TextureFormat::Rgba8UnormSrgb).expect("a renderer");
        let counts: Vec<u32> = renderer.soft.groups.iter().map(|group| group.count).collect();
        assert_eq!((counts.len(), counts.iter().sum::<u32>()), (2, copies), "{counts:?}");
    }

    #[test]
    fn fans_hold_every_triangle_at_each_of_its_corners() {
        let rest = [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::ONE];
        let shell = Shell::on_particles(&rest, &[[0, 1, 2], [2, 1, 3]], &[], Material::default());
        let (starts, fans) = fans(&shell);
        assert_eq!(starts, [0, 1, 3, 5, 6]);
        assert_eq!(fans, [[1, 2], [2, 0], [3, 2], [0, 1], [1, 3], [2, 1]]);
    }
}
