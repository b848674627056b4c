//! `sinew render`: simulate without a window and keep the pictures.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use image::RgbaImage;

use super::args::{RenderArgs, Settings};
use super::outcome::say;
use crate::app::caption::Caption;
use crate::app::film::Film;
use crate::app::follow::Follow;
use crate::app::launch::{Launch, Level, stem};
use crate::app::progress::Progress;
use crate::app::world::World;
use crate::gpu::{Choice, Context};
use crate::render::{Camera, DrawOptions, Lens};

/// Format of the frames; files hold sRGB.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Frames simulated for a picture in place of a window: things have fallen and mostly lie.
const STILL_FRAMES: u32 = 180;
/// Share of the way to what it should show that the camera of a film goes in a frame.
const PACE: f32 = 0.06;

impl RenderArgs {
    /// The picture shown in place of a window.
    pub(super) fn still(launch: &Launch) -> Self {
        Self {
            target: launch.target.clone(),
            frames: STILL_FRAMES,
            out: PathBuf::from(format!("out/{}.png", stem(&launch.target))),
            size: (1280, 720),
            // A picture has time.
            quality: if launch.level == Level::Auto { Level::High } else { launch.level },
            camera: None,
            show: vec!["surfaces".into()],
            aperture: None,
            focus: None,
            times: false,
            caption: None,
            settings: Settings { sets: launch.sets.clone(), limp_at: launch.limp_at.clone(), ..Settings::default() },
        }
    }
}

/// Simulates and writes; returns what was written.
///
/// # Errors
/// No adapter, an unknown target, a file that cannot be written, or a device lost on the way.
pub(super) fn render(args: &RenderArgs, adapter: &Choice) -> Result<PathBuf> {
    let ctx = Context::headless_as(adapter)?;
    let most = ctx.device.limits().max_texture_dimension_2d;
    if args.size.0.max(args.size.1) > most {
        bail!("--size: `{}` draws at most {most} pixels a side", ctx.info().name);
    }
    let quality = args.quality.quality(&ctx);
    let mut world = World::open(&ctx, &args.target, args.settings.all(), &args.settings.limp_at, (FORMAT, quality))?;
    let mut follow = Follow::new(args.camera.unwrap_or(world.start_view()));
    let aspect = args.size.0 as f32 / args.size.1 as f32;
    let caption = args.caption.as_deref().map(|text| Caption::new(text, args.size));
    let mut shots = Shots::new(args);
    let mut film = Film::create(&args.out, args.size, world.solver.params().dt)?;
    let mut progress = Progress::new(args.frames);
    for frame in 0..args.frames {
        world.step()?;
        if film.wants(frame, args.frames) {
            if let (None, Some(ball)) = (args.camera, world.characters()?) {
                follow.keep(ball, aspect, if film.is_still() { 1.0 } else { PACE });
            }
            let mut picture = shots.take(&ctx, &mut world, &Camera::from(follow.view()))?;
            caption.iter().for_each(|caption| caption.draw(&mut picture));
            film.push(picture)?;
        } else if frame % 8 == 0 {
            // Without this the driver would collect the whole run before doing any of it.
            ctx.wait()?;
        }
        if let Some(error) = ctx.take_errors().into_iter().next() {
            bail!("frame {frame}: {error}");
        }
        progress.at(frame + 1);
    }
    drop(progress);
    shots.tell(&ctx);
    film.finish()
}

/// Takes the pictures that were asked for.
#[derive(Debug)]
struct Shots<'a> {
    args: &'a RenderArgs,
    options: DrawOptions,
    /// How long each took.
    times: Vec<Duration>,
}

impl<'a> Shots<'a> {
    fn new(args: &'a RenderArgs) -> Self {
        let shows = |what: &str| args.show.iter().any(|s| s == what);
        let options = DrawOptions {
            surfaces: ["surfaces", "strain", "colors"].into_iter().any(shows),
            particles: shows("particles"),
            joints: shows("joints"),
            strain: shows("strain"),
            colors: shows("colors"),
            ..DrawOptions::default()
        };
        Self { args, options, times: Vec::new() }
    }

    /// What `camera` sees, through the lens if there is one.
    fn take(&mut self, ctx: &Context, world: &mut World, camera: &Camera) -> Result<RgbaImage> {
        let RenderArgs { size, aperture, focus, times, .. } = self.args;
        if *times {
            // The step is no part of it.
            ctx.wait()?;
        }
        let start = Instant::now();
        let mut draw = |camera: &Camera| world.picture(ctx, *size, camera, &self.options);
        let picture = match aperture {
            Some(aperture) => {
                let focus = focus.unwrap_or(camera.eye.distance(camera.target));
                Lens::new(focus, *aperture)?.picture(camera, draw)?
            }
            None => draw(camera)?,
        };
        self.times.push(start.elapsed());
        Ok(picture)
    }

    /// Says how long pictures took, if that was asked for.
    fn tell(&mut self, ctx: &Context) {
        self.times.sort_unstable();
        if let (true, Some(median)) = (self.args.times, self.times.get(self.times.len() / 2)) {
            let (count, name) = (self.times.len(), &ctx.info().name);
            say(&format!(
                "{:.1} ms a picture with reading it back, median of {count}, on {name}",
                1e3 * median.as_secs_f64()
            ));
        }
    }
}
