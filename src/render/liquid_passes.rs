//! The passes that draw liquids: ellipsoids are shaped before the picture and seen from the sun; after it, their surface
//! is found, filtered and laid over the picture.

use super::layouts::bind;
use super::liquids::{DISCS, Liquids};
use super::passes::{depth, onto, vertices_of};
use super::recorder::Recorder;
use super::targets::{LiquidTargets, Targets};
use super::{DrawOptions, Renderer};
use crate::solver::SolverView;

/// How often the surface is filtered, both ways each time.
const FILTERINGS: usize = 2;

impl Renderer {
    /// Shapes liquids, and finds what they take from the sun.
    pub(super) fn splat_passes(&self, recorder: &mut Recorder<'_>, solver: &SolverView<'_>, options: &DrawOptions) {
        let Some(liquids) = &self.liquids else { return };
        let flowing = options.flowing();
        if flowing {
            let mut pass = recorder.compute("render/liquid_shape");
            liquids.shape(&self.context, &self.layouts, &mut pass, solver);
        }
        if options.shadows {
            let mut pass = recorder.render("render/liquid_light", Some(onto(&self.liquid_map.view)), None);
            if flowing {
                pass.set_pipeline(&liquids.pipelines.light);
                self.draw_splats(&mut pass, liquids);
            }
        }
    }

    /// The picture with liquids over it, in the caller's format.
    pub(super) fn liquid_passes(&self, recorder: &mut Recorder<'_>, targets: &Targets, target: &wgpu::TextureView) {
        let (Some(liquids), Some(wet)) = (&self.liquids, &targets.liquid) else { return };
        self.surface_passes(recorder, liquids, wet);
        self.thickness_passes(recorder, liquids, wet, &targets.depth);
        let view = wgpu::BindingResource::TextureView;
        {
            let mut pass = recorder.render("render/liquid_foam", Some(onto(&wet.foam)), None);
            pass.set_pipeline(&liquids.pipelines.foam);
            let around = [view(&wet.surface[0]), view(&targets.depth)];
            pass.set_bind_group(2, &bind(&self.context, &self.layouts.liquid_foam, &around), &[]);
            self.draw_squares(&mut pass, liquids, liquids.count.saturating_mul(DISCS));
        }
        let picture = [&targets.picture, &targets.depth, &targets.occlusion[1]].map(view);
        let picture = bind(&self.context, &self.layouts.picture, &picture);
        let sampler = wgpu::BindingResource::Sampler(&liquids.pipelines.sampler);
        let surface = [view(&wet.surface[0]), view(&wet.thickness[1]), sampler, view(&wet.foam)];
        let surface = bind(&self.context, &self.layouts.liquid_surface, &surface);
        let mut pass = recorder.render("render/liquid_present", Some(onto(target)), None);
        pass.set_pipeline(&liquids.pipelines.present);
        pass.set_bind_group(0, &self.frames.picture, &[]);
        pass.set_bind_group(1, &picture, &[]);
        pass.set_bind_group(2, &surface, &[]);
        pass.draw(0..3, 0..1);
    }

    /// The surface, filtered.
    fn surface_passes(&self, recorder: &mut Recorder<'_>, liquids: &Liquids, wet: &LiquidTargets) {
        {
            let nearest = depth(&wet.depth, 0.0, wgpu::StoreOp::Discard);
            let mut pass = recorder.render("render/liquid_depth", Some(onto(&wet.surface[0])), Some(nearest));
            pass.set_pipeline(&liquids.pipelines.depth);
            self.draw_splats(&mut pass, liquids);
        }
        let steps = [0, 1].map(|from| {
            let tables = [wgpu::BindingResource::TextureView(&wet.surface[from]), liquids.rows.as_entire_binding()];
            (bind(&self.context, &self.layouts.liquid_filter, &tables), &wet.surface[1 - from])
        });
        for _ in 0..FILTERINGS {
            for ((from, to), pipeline) in steps.iter().zip(&liquids.pipelines.filter) {
                let mut pass = recorder.render("render/liquid_filter", Some(onto(to)), None);
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, &self.frames.sun, &[]);
                pass.set_bind_group(1, from, &[]);
                pass.draw(0..3, 0..1);
            }
        }
    }

    /// How much liquid is before what the picture shows, smoothed.
    fn thickness_passes(
        &self,
        recorder: &mut Recorder<'_>,
        liquids: &Liquids,
        wet: &LiquidTargets,
        solid: &wgpu::TextureView,
    ) {
        let view = wgpu::BindingResource::TextureView;
        {
            let mut pass = recorder.render("render/liquid_thickness", Some(onto(&wet.thickness[0])), None);
            pass.set_pipeline(&liquids.pipelines.thickness);
            pass.set_bind_group(2, &bind(&self.context, &self.layouts.picture_depth, &[view(solid)]), &[]);
            self.draw_splats(&mut pass, liquids);
        }
        let tables = [view(&wet.surface[0]), liquids.rows.as_entire_binding(), view(&wet.thickness[0]), view(solid)];
        let mut pass = recorder.render("render/liquid_blur", Some(onto(&wet.thickness[1])), None);
        pass.set_pipeline(&liquids.pipelines.blur);
        pass.set_bind_group(0, &self.frames.sun, &[]);
        pass.set_bind_group(1, &bind(&self.context, &self.layouts.liquid_blur, &tables), &[]);
        pass.draw(0..3, 0..1);
    }

    fn draw_splats(&self, pass: &mut wgpu::RenderPass<'_>, liquids: &Liquids) {
        self.draw_squares(pass, liquids, liquids.count);
    }

    fn draw_squares(&self, pass: &mut wgpu::RenderPass<'_>, liquids: &Liquids, count: u32) {
        pass.set_bind_group(0, &self.frames.sun, &[]);
        pass.set_bind_group(1, &liquids.bound, &[]);
        pass.draw(0..vertices_of(count), 0..1);
    }
}
