//! The passes of a frame.

use super::drawn::Drawn;
use super::layouts::bind;
use super::material::Look;
use super::recorder::Recorder;
use super::targets::Targets;
use super::{DrawOptions, Renderer};
use crate::solver::SolverView;

/// Tables of this frame's solver state, bound.
pub(super) struct Rows {
    surfaces: wgpu::BindGroup,
    colliders: wgpu::BindGroup,
    particles: wgpu::BindGroup,
    lines: wgpu::BindGroup,
    classes: Option<wgpu::BindGroup>,
}

impl Renderer {
    pub(super) fn rows(&self, solver: &SolverView<'_>) -> Rows {
        let placed = |drawn: &Drawn| {
            bind(&self.context, &self.layouts.placements, &[drawn.bones.placements.as_entire_binding()])
        };
        let lines = [solver.bodies, &self.joints.rows].map(|b| b.as_entire_binding());
        let particles = [solver.bodies, solver.particles, solver.particle_bodies].map(|b| b.as_entire_binding());
        let classes = solver.constraints.map(|c| {
            let tables = [solver.particles, c.heads, c.words, c.color_starts, c.phantom_originals];
            bind(&self.context, &self.layouts.classes, &tables.map(|b| b.as_entire_binding()))
        });
        Rows {
            surfaces: placed(&self.drawn),
            colliders: placed(&self.colliders.drawn),
            particles: bind(&self.context, &self.layouts.particles, &particles),
            lines: bind(&self.context, &self.layouts.lines, &lines),
            classes,
        }
    }

    /// Where the points of everything that follows particles are.
    pub(super) fn point_pass(&self, recorder: &mut Recorder<'_>, solver: &SolverView<'_>) {
        let mut pass = recorder.compute("render/points");
        self.soft.place(&self.context, &self.layouts, &self.pipelines, &mut pass, solver);
        self.tubes.place(&self.context, &self.layouts, &self.pipelines, &mut pass, solver.particles);
    }

    /// Where the bones of everything drawn are.
    pub(super) fn bone_pass(&self, recorder: &mut Recorder<'_>, solver: &SolverView<'_>) {
        let mut pass = recorder.compute("render/bones");
        pass.set_pipeline(&self.pipelines.bones);
        self.drawn.bones.place(&self.context, &self.layouts, &mut pass, solver.bodies);
        self.colliders.drawn.bones.place(&self.context, &self.layouts, &mut pass, &self.colliders.poses);
    }

    /// Depth seen from the sun.
    pub(super) fn shadow_pass(
        &self,
        recorder: &mut Recorder<'_>,
        solver: &SolverView<'_>,
        options: &DrawOptions,
        rows: &Rows,
    ) {
        let map = depth(&self.map.view, 1.0, wgpu::StoreOp::Store);
        let mut pass = recorder.render("render/shadow", None, Some(map));
        pass.set_bind_group(0, &self.frames.sun, &[]);
        if options.surfaces {
            self.draw_shadows(&mut pass, &self.drawn, &rows.surfaces, |_| true);
            let shadow = |look: &Look| &self.pipelines.soft_shadow[usize::from(look.holes)];
            self.soft.draw(&mut pass, |_| true, shadow);
            self.tubes.draw(&mut pass, shadow);
        }
        // Light goes through glass.
        self.draw_shadows(&mut pass, &self.colliders.drawn, &rows.colliders, |look| !look.blended);
        if let (true, Some(grains)) = (options.flowing(), &self.grains) {
            grains.draw(&self.context, &self.layouts, &mut pass, solver.particles, true);
        }
        if options.particles && solver.particle_count > 0 {
            pass.set_pipeline(&self.pipelines.particle_shadow);
            pass.set_bind_group(1, &rows.particles, &[]);
            pass.draw(0..vertices_of(solver.particle_count), 0..1);
        }
    }

    /// Everything that is seen.
    pub(super) fn picture_pass(
        &self,
        recorder: &mut Recorder<'_>,
        targets: &Targets,
        solver: &SolverView<'_>,
        options: &DrawOptions,
        rows: &Rows,
    ) {
        let color = wgpu::RenderPassColorAttachment {
            view: &targets.samples,
            depth_slice: None,
            resolve_target: Some(&targets.picture),
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Discard },
        };
        let depth = depth(&targets.depth, 0.0, wgpu::StoreOp::Store);
        let mut pass = recorder.render("render/picture", Some(color), Some(depth));
        pass.set_bind_group(0, &self.frames.picture, &[]);
        if options.surfaces {
            self.draw_surfaces(&mut pass, &self.drawn, &rows.surfaces, false);
            self.draw_soft(&mut pass, options, false);
        }
        self.draw_surfaces(&mut pass, &self.colliders.drawn, &rows.colliders, false);
        if let (true, Some(grains)) = (options.flowing(), &self.grains) {
            grains.draw(&self.context, &self.layouts, &mut pass, solver.particles, false);
        }
        if options.particles && solver.particle_count > 0 {
            pass.set_pipeline(&self.pipelines.particles);
            pass.set_bind_group(1, &rows.particles, &[]);
            pass.draw(0..vertices_of(solver.particle_count), 0..1);
        }
        if let (true, Some(constraints), Some(rows)) = (options.colors, solver.constraints, &rows.classes) {
            pass.set_pipeline(&self.pipelines.classes);
            pass.set_bind_group(1, rows, &[]);
            pass.draw(0..constraints.count.saturating_mul(18), 0..1);
        }
        let planes = self.colliders.planes();
        if !planes.is_empty() {
            pass.set_pipeline(&self.pipelines.ground);
            pass.set_bind_group(1, &rows.colliders, &[]);
            pass.set_vertex_buffer(0, self.colliders.drawn.rows.slice(..));
            pass.draw(0..6, planes);
        }
        pass.set_pipeline(&self.pipelines.background);
        pass.draw(0..3, 0..1);
        if options.surfaces {
            self.draw_surfaces(&mut pass, &self.drawn, &rows.surfaces, true);
            self.draw_soft(&mut pass, options, true);
        }
        self.draw_surfaces(&mut pass, &self.colliders.drawn, &rows.colliders, true);
        let first = if options.joints { 0 } else { self.joints.count };
        let last = self.joints.count + u32::from(options.drag.is_some());
        if first < last {
            pass.set_pipeline(&self.pipelines.lines);
            pass.set_bind_group(1, &rows.lines, &[]);
            pass.draw(vertices_of(first)..vertices_of(last), 0..1);
        }
    }

    /// How much of the light from all around reaches what is seen.
    pub(super) fn occlusion_pass(&self, recorder: &mut Recorder<'_>, targets: &Targets) {
        let depth = [self.frames.camera(), wgpu::BindingResource::TextureView(&targets.depth)];
        let depth = bind(&self.context, &self.layouts.depth, &depth);
        let found = [self.frames.camera(), wgpu::BindingResource::TextureView(&targets.occlusion[0])];
        let found = bind(&self.context, &self.layouts.occlusion, &found);
        let steps =
            [("render/occlusion", &self.pipelines.occlusion, depth), ("render/smooth", &self.pipelines.smooth, found)];
        for ((label, pipeline, group), target) in steps.into_iter().zip(&targets.occlusion) {
            let mut pass = recorder.render(label, Some(onto(target)), None);
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.draw(0..3, 0..1);
        }
    }

    /// The picture in the caller's format.
    pub(super) fn present_pass(&self, recorder: &mut Recorder<'_>, targets: &Targets, target: &wgpu::TextureView) {
        let views = [&targets.picture, &targets.depth, &targets.occlusion[1]].map(wgpu::BindingResource::TextureView);
        let [picture, depth, occlusion] = views;
        let group = bind(&self.context, &self.layouts.picture, &[picture, depth, occlusion]);
        let mut pass = recorder.render("render/present", Some(onto(target)), None);
        pass.set_pipeline(&self.pipelines.present);
        pass.set_bind_group(0, &self.frames.sun, &[]);
        pass.set_bind_group(1, &group, &[]);
        pass.draw(0..3, 0..1);
    }

    fn draw_shadows(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        drawn: &Drawn,
        rows: &wgpu::BindGroup,
        casts: impl Fn(&Look) -> bool,
    ) {
        each_part(pass, drawn, rows, casts, |look| &self.pipelines.shadow[usize::from(look.holes)]);
    }

    fn draw_surfaces(&self, pass: &mut wgpu::RenderPass<'_>, drawn: &Drawn, rows: &wgpu::BindGroup, blended: bool) {
        let surface = &self.pipelines.surface[usize::from(blended)];
        each_part(pass, drawn, rows, |look| look.blended == blended, |look| &surface[usize::from(look.double_sided)]);
    }

    /// What follows particles, unless their constraints are shown in its place.
    fn draw_soft(&self, pass: &mut wgpu::RenderPass<'_>, options: &DrawOptions, blended: bool) {
        if options.colors {
            return;
        }
        let surface = &self.pipelines.soft_surface[usize::from(blended)];
        let pipeline = |look: &Look| &surface[usize::from(look.double_sided)];
        self.soft.draw(pass, |look| look.blended == blended, pipeline);
        if !blended {
            self.tubes.draw(pass, pipeline);
        }
    }
}

/// Draws all copies of every primitive whose material is wanted.
fn each_part<'p>(
    pass: &mut wgpu::RenderPass<'_>,
    drawn: &Drawn,
    rows: &wgpu::BindGroup,
    wanted: impl Fn(&Look) -> bool,
    pipeline: impl Fn(&Look) -> &'p wgpu::RenderPipeline,
) {
    pass.set_bind_group(1, rows, &[]);
    for model in &drawn.models {
        for part in model.parts.iter().filter(|part| wanted(&part.look)) {
            pass.set_pipeline(pipeline(&part.look));
            pass.set_bind_group(2, &part.look.group, &[]);
            pass.set_vertex_buffer(0, part.mesh.vertices.slice(..));
            pass.set_vertex_buffer(1, drawn.rows.slice(..));
            pass.set_index_buffer(part.mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..part.mesh.index_count, 0, model.rows.clone());
        }
    }
}

/// Vertices of so many squares.
pub(super) fn vertices_of(count: u32) -> u32 {
    count.saturating_mul(6)
}

/// A target whose every pixel is written.
pub(super) fn onto(view: &wgpu::TextureView) -> wgpu::RenderPassColorAttachment<'_> {
    wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops: wgpu::Operations::default() }
}

pub(super) fn depth(
    view: &wgpu::TextureView,
    clear: f32,
    store: wgpu::StoreOp,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store };
    wgpu::RenderPassDepthStencilAttachment { view, depth_ops: Some(ops), stencil_ops: None }
}
