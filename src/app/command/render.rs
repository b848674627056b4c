//! `sinew render`: simulates without a window and saves pictures.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use image::RgbaImage;

use super::args::{RenderArgs, Settings, frame_count};
use super::outcome::{refuse_read, say, tell_numbers};
use crate::app::camera_path::{CameraPath, orbited};
use crate::app::caption::Caption;
use crate::app::film::{Film, is_picture, replaced};
use crate::app::follow::Follow;
use crate::app::launch::{Launch, Level, stem};
use crate::app::progress::Progress;
use crate::app::stop;
use crate::app::world::World;
use crate::gpu::{Choice, Context};
use crate::render::{Camera, DrawOptions, Lens, ParticleColors};
use crate::scene_file::is_take;

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
            frames: (!is_take(&launch.target)).then_some(STILL_FRAMES),
            from: 0,
            out: PathBuf::from(format!("out/{}.png", stem(&launch.target))),
            size: (1280, 720),
            // A picture has time.
            quality: launch.level.filter(|level| *level != Level::Auto).unwrap_or(Level::High),
            camera: None,
            camera_path: None,
            orbit: None,
            show: vec!["surfaces".into()],
            aperture: None,
            focus: None,
            times: false,
            caption: None,
            settings: Settings { sets: launch.sets.clone(), limp_at: launch.limp_at.clone(), ..Settings::default() },
        }
    }
}

/// Where pictures are taken from.
struct Shot {
    path: CameraPath,
    follow: Follow,
    /// Whether the camera stays with the characters.
    follows: bool,
    /// Frames that were simulated when they were looked for last.
    looked: u32,
    /// Turn around what is looked at [rad/s].
    orbit: f32,
    aspect: f32,
}

impl Shot {
    fn new(args: &RenderArgs, world: &World) -> Result<Self> {
        let path = match &args.camera_path {
            Some(file) => CameraPath::load(file)?,
            None if args.camera.is_some() || args.orbit.is_some() => CameraPath::default(),
            None => world.path.clone(),
        };
        let aspect = args.size.0 as f32 / args.size.1 as f32;
        Ok(Self {
            path,
            follow: Follow::new(args.camera.unwrap_or(world.whole_view(aspect))),
            follows: args.camera.is_none(),
            looked: 0,
            orbit: args.orbit.unwrap_or(0.0).to_radians(),
            aspect,
        })
    }

    /// The camera for what there is now, after so many frames; `still` for one picture alone. It has gone on in those without a picture.
    fn camera(&mut self, world: &World, frame: u32, still: bool) -> Result<Camera> {
        if let Some(camera) = self.path.at(world.time()) {
            return Ok(camera);
        }
        if self.follows
            && let Some(ball) = world.characters()?
        {
            let share = 1.0 - (1.0 - PACE).powi((frame - self.looked) as i32);
            self.follow.keep(ball, self.aspect, if still { 1.0 } else { share });
            self.looked = frame;
        }
        Ok(Camera::from(orbited(self.follow.view(), self.orbit * world.time())))
    }
}

/// What a list of `--show` says.
///
/// # Errors
/// Particles have two colors.
fn shown(list: &[String]) -> Result<DrawOptions> {
    let shows = |what: &str| list.iter().any(|s| s == what);
    let told = [
        ("speed", ParticleColors::Speed),
        ("rest", ParticleColors::Rest),
        ("touching", ParticleColors::Contacts),
        ("cells", ParticleColors::Cells),
    ];
    let mut told = told.into_iter().filter(|(name, _)| shows(name));
    let (told, other) = (told.next(), told.next());
    if let (Some((one, _)), Some((other, _))) = (told, other) {
        bail!("--show: `{one}` and `{other}` each color all particles; give only one of them");
    }
    Ok(DrawOptions {
        surfaces: ["surfaces", "strain", "colors"].into_iter().any(shows),
        particles: shows("particles") || told.is_some(),
        particle_colors: told.map_or(ParticleColors::Owner, |(_, colors)| colors),
        contacts: shows("contacts"),
        joints: shows("joints"),
        strain: shows("strain"),
        colors: shows("colors"),
        ..DrawOptions::default()
    })
}

/// The pictures that were taken.
struct Taken<'a> {
    args: &'a RenderArgs,
    options: DrawOptions,
    /// How long each took.
    times: Vec<Duration>,
}

impl Taken<'_> {
    /// What `camera` sees, through the lens if there is one.
    fn picture(&mut self, ctx: &Context, world: &mut World, camera: &Camera) -> Result<RgbaImage> {
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
            let (count, name, ms) = (self.times.len(), &ctx.info().name, 1e3 * median.as_secs_f64());
            say(&format!("{ms:.1} ms per picture including readback, median of {count}, on {name}"));
        }
    }
}

/// Refuses what does not go together, before anything is opened.
fn check(args: &RenderArgs) -> Result<()> {
    if !is_take(&args.target) {
        frame_count(args.frames, None)?;
    }
    if is_picture(&args.out)? && args.from > 0 {
        bail!("--from is for films, and `{}` is one picture, of the last frame", args.out.display());
    }
    Ok(())
}

/// Simulates and writes; returns what was written.
///
/// # Errors
/// No adapter, an unknown target, a file that cannot be written, or a device lost on the way.
pub(super) fn render(args: &RenderArgs, adapter: &Choice) -> Result<PathBuf> {
    check(args)?;
    let options = shown(&args.show)?;
    let ctx = Context::headless_as(adapter)?;
    let most = ctx.device.limits().max_texture_dimension_2d;
    if args.size.0.max(args.size.1) > most {
        bail!("--size: `{}` draws at most {most} pixels a side", ctx.info().name);
    }
    let quality = args.quality.quality(&ctx);
    let mut world = World::open(&ctx, &args.target, args.settings.all(), &args.settings.limp_at, (FORMAT, quality))?;
    let frames = frame_count(args.frames, world.recorded.as_ref().map(|take| take.0))?;
    if args.from >= frames {
        bail!("--from: {} leaves none of the {frames} frames", args.from);
    }
    args.settings.tell_late(frames);
    let mut shot = Shot::new(args, &world)?;
    let mut taken = Taken { args, options, times: Vec::new() };
    let caption = args.caption.as_deref().filter(|text| !text.trim().is_empty());
    let caption = caption.map(|text| Caption::new(text, args.size));
    replaced(&args.out, frames - args.from).iter().try_for_each(|path| refuse_read("--out", path))?;
    let mut film = Film::create(&args.out, args.size, world.solver.params().dt)?;
    let mut progress = Progress::new(frames);
    stop::heed();
    for frame in 0..frames {
        if stop::is_asked() {
            bail!("stopped after {frame} of {frames} frames");
        }
        world.step(&ctx)?;
        if frame + 1 == frames {
            // What was done after the last frame of a take is part of it.
            world.follow(&ctx)?;
        }
        if frame >= args.from && film.wants(frame - args.from, frames - args.from) {
            let camera = shot.camera(&world, frame + 1, film.is_still())?;
            let mut picture = taken.picture(&ctx, &mut world, &camera)?;
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
    taken.tell(&ctx);
    tell_numbers(&world.solver)?;
    film.finish()
}
