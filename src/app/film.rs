//! Pictures to files: the last frame as PNG, numbered PNGs in a folder, GIF, or MP4 through ffmpeg.

use std::ffi::{OsStr, OsString};
use std::io::{Cursor, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, anyhow, bail};
use image::{ImageFormat, RgbaImage};

use super::gif_film::{self, GifFilm};
use crate::files::{self, Draft};

/// Shortest time a GIF frame is shown [s]: viewers slow anything faster down.
const GIF_INTERVAL: f32 = 0.03;
/// Most pictures a second of an MP4: displays show no more.
const MP4_RATE: f32 = 120.0;
/// What rounding makes of the number of frames from one picture to the next.
const UNSURE: f32 = 1e-3;
/// Endings of single files.
const ENDINGS: [(&str, Kind); 3] = [("png", Kind::Picture), ("gif", Kind::Gif), ("mp4", Kind::Mp4)];

/// What a path asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Folder,
    Picture,
    Gif,
    Mp4,
}

impl Kind {
    /// By the ending of a path.
    ///
    /// # Errors
    /// An unknown ending, or nothing before it.
    fn of(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            bail!("pictures cannot go to standard output; use X.png, X.gif, X.mp4, or a folder name ending in /");
        }
        if names_folder(path) || path.is_dir() {
            return Ok(Self::Folder);
        }
        let of = |part: Option<&OsStr>| part.map(|part| part.to_string_lossy().to_lowercase());
        let is_bare = |name: &str| ENDINGS.iter().any(|(ending, _)| name.strip_prefix('.') == Some(ending));
        if let Some(ending) = of(path.file_name()).filter(|name| is_bare(name)) {
            bail!(
                "{}: a name is missing before `{ending}`, as in x{ending}; that of a folder ends in /",
                path.display()
            );
        }
        let Some(ending) = of(path.extension()) else { return Ok(Self::Folder) };
        match ENDINGS.iter().find(|(known, _)| *known == ending) {
            Some((_, kind)) => Ok(*kind),
            None => bail!(
                "{}: `.{ending}` is not a picture or film; use .png, .gif, .mp4, or a folder name ending in /",
                path.display()
            ),
        }
    }
}

/// Where frames go.
#[derive(Debug)]
pub(crate) struct Film {
    path: PathBuf,
    sink: Sink,
    /// Every this many simulated frames one is kept.
    stride: u32,
    pictures: u32,
}

enum Sink {
    Last(Option<RgbaImage>),
    Folder { written: u32 },
    Gif { film: Box<GifFilm>, draft: Draft },
    Mp4 { child: Child, draft: Draft },
}

impl std::fmt::Debug for Sink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Last(_) => "Last",
            Self::Folder { .. } => "Folder",
            Self::Gif { .. } => "Gif",
            Self::Mp4 { .. } => "Mp4",
        })
    }
}

impl Film {
    /// Opens `path` for frames of `size` pixels, `dt` [s] apart; its ending chooses the kind.
    ///
    /// # Errors
    /// An unknown ending, a folder that cannot be made, a file that cannot be written, no ffmpeg.
    pub(crate) fn create(path: &Path, size: (u32, u32), dt: f32) -> Result<Self> {
        let kind = Kind::of(path)?;
        let folder = if kind == Kind::Folder { Some(path) } else { path.parent() };
        if let Some(folder) = folder.filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        }
        let mut stride = 1;
        let sink = match kind {
            Kind::Folder => {
                check_writable(&path.join(numbered(1)))?;
                Sink::Folder { written: 0 }
            }
            Kind::Picture => {
                check_writable(path)?;
                Sink::Last(None)
            }
            Kind::Gif => {
                stride = (GIF_INTERVAL / dt).round().max(1.0) as u32;
                let (size, draft) = (gif_film::size_of(size)?, draft(path)?);
                let film = GifFilm::create(draft.path(), size, dt * stride as f32);
                Sink::Gif { film: Box::new(film.with_context(|| cannot_write(path))?), draft }
            }
            Kind::Mp4 => {
                stride = (1.0 / (MP4_RATE * dt) - UNSURE).ceil().max(1.0) as u32;
                let draft = draft(path)?;
                Sink::Mp4 { child: ffmpeg(draft.path(), size, dt * stride as f32)?, draft }
            }
        };
        Ok(Self { path: path.to_owned(), sink, stride, pictures: 0 })
    }

    /// Whether frame `index` (from 0) of `count` is kept; drawing the others is a waste.
    pub(crate) fn wants(&self, index: u32, count: u32) -> bool {
        match self.sink {
            Sink::Last(_) => index + 1 == count,
            _ => index.is_multiple_of(self.stride),
        }
    }

    /// Whether it has no picture yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.pictures == 0
    }

    /// Whether only one frame is kept.
    pub(crate) fn is_still(&self) -> bool {
        matches!(self.sink, Sink::Last(_))
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// The file cannot be written, or ffmpeg ended early.
    pub(crate) fn push(&mut self, frame: RgbaImage) -> Result<()> {
        let path = &self.path;
        self.pictures += 1;
        match &mut self.sink {
            Sink::Last(last) => *last = Some(frame),
            Sink::Folder { written } => {
                *written += 1;
                write_png(&path.join(numbered(*written)), &frame)?;
            }
            Sink::Gif { film, .. } => film.push(frame).with_context(|| cannot_write(path))?,
            Sink::Mp4 { child, .. } => {
                let pipe = child.stdin.as_mut().expect("ffmpeg was started with a pipe");
                if pipe.write_all(frame.as_raw()).is_err() {
                    bail!("ffmpeg could not write {}: {}", path.display(), last_words(child));
                }
            }
        }
        Ok(())
    }

    /// Completes the file and returns its path.
    ///
    /// # Errors
    /// The file cannot be completed, or a film has no picture; then there is no file.
    pub(crate) fn finish(self) -> Result<PathBuf> {
        if self.is_empty() && matches!(self.sink, Sink::Gif { .. } | Sink::Mp4 { .. }) {
            bail!("{} is not written: the film has no picture yet", self.path.display());
        }
        match self.sink {
            Sink::Last(Some(frame)) => write_png(&self.path, &frame)?,
            Sink::Folder { written } => {
                if let Some((first, last)) = left_over(&self.path, written) {
                    let folder = self.path.display();
                    log::warn!("{folder}: {first} to {last} are from before this film, and stay");
                }
            }
            Sink::Last(None) => {}
            Sink::Gif { film, draft } => {
                film.finish().with_context(|| cannot_write(&self.path))?;
                draft.keep().with_context(|| cannot_write(&self.path))?;
            }
            Sink::Mp4 { mut child, draft } => {
                drop(child.stdin.take());
                if !child.wait()?.success() {
                    bail!("ffmpeg could not write {}: {}", self.path.display(), last_words(&mut child));
                }
                if !draft.path().metadata().is_ok_and(|there| there.len() > 0 || !there.is_file()) {
                    bail!("ffmpeg left {} empty: {}", self.path.display(), last_words(&mut child));
                }
                draft.keep().with_context(|| cannot_write(&self.path))?;
            }
        }
        Ok(self.path)
    }
}

/// Whether a path is that of one picture.
///
/// # Errors
/// An unknown ending.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn is_picture(path: &Path) -> Result<bool> {
    Ok(Kind::of(path)? == Kind::Picture)
}

/// Files that a film of at most so many pictures takes the place of.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn replaced(path: &Path, pictures: u32) -> Vec<PathBuf> {
    match Kind::of(path) {
        Ok(Kind::Folder) => {
            let there = in_folder(path).into_iter().filter(|number| (1..=pictures).contains(number));
            there.map(|number| path.join(numbered(number))).collect()
        }
        _ => vec![path.to_owned()],
    }
}

/// Whether a path is that of a folder, as it is written.
pub(crate) fn names_folder(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(['/', '\\'])
}

/// Name of a picture in a folder.
fn numbered(number: u32) -> String {
    format!("{number:05}.png")
}

/// Numbers of the pictures that are in a folder.
fn in_folder(folder: &Path) -> Vec<u32> {
    let number = |name: OsString| {
        let name = name.to_string_lossy();
        let number = name.strip_suffix(".png")?.parse().ok()?;
        (numbered(number) == name).then_some(number)
    };
    std::fs::read_dir(folder).into_iter().flatten().filter_map(|file| number(file.ok()?.file_name())).collect()
}

/// The first and the last picture of a folder that stand behind the `written` ones of this film; none without any.
fn left_over(folder: &Path, written: u32) -> Option<(String, String)> {
    let later: Vec<u32> = in_folder(folder).into_iter().filter(|number| *number > written).collect();
    Some((numbered(*later.iter().min()?), numbered(*later.iter().max()?)))
}

/// Makes sure that a file can be written later.
///
/// # Errors
/// It cannot.
pub(crate) fn check_writable(path: &Path) -> Result<()> {
    files::check_writable(path).with_context(|| cannot_write(path))
}

fn draft(path: &Path) -> Result<Draft> {
    check_writable(path)?;
    Draft::of(path).with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Writes one picture.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write_png(path: &Path, frame: &RgbaImage) -> Result<()> {
    let mut bytes = Cursor::new(Vec::new());
    frame.write_to(&mut bytes, ImageFormat::Png)?;
    files::write(path, bytes.into_inner()).with_context(|| cannot_write(path))
}

/// Starts ffmpeg reading raw frames from a pipe.
fn ffmpeg(path: &Path, (width, height): (u32, u32), dt: f32) -> Result<Child> {
    // Said to be a file: names may begin as options and addresses do.
    let mut file = OsString::from("file:");
    file.push(path);
    let input = ["-f", "rawvideo", "-pix_fmt", "rgba"];
    // 4:2:0 video needs even sides.
    let output = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-preset", "veryfast", "-crf", "18"];
    Command::new("ffmpeg")
        .args(["-y", "-loglevel", "error"])
        .args(input)
        .args(["-s", &format!("{width}x{height}"), "-r", &format!("{:.3}", 1.0 / dt), "-i", "-"])
        .args(output)
        .args(["-pix_fmt", "yuv420p", "-movflags", "+faststart"])
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => anyhow!("an MP4 needs ffmpeg on the PATH, a .gif does not"),
            _ => anyhow!(error).context("an MP4 needs ffmpeg, which does not start"),
        })
}

/// What ffmpeg said before it ended, on one line.
fn last_words(child: &mut Child) -> String {
    let mut text = String::new();
    if let Some(mut errors) = child.stderr.take() {
        // Unreadable bytes only cost us the explanation.
        let _ = errors.read_to_string(&mut text);
    }
    let words = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("; ");
    if words.is_empty() { "it ended early".into() } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("sinew-film-{name}-{}", std::process::id()))
    }

    fn film(path: &Path, frames: u32) -> Result<PathBuf> {
        let mut film = Film::create(path, (16, 8), 1.0 / 60.0)?;
        for i in 0..frames {
            if film.wants(i, frames) {
                film.push(RgbaImage::from_pixel(16, 8, image::Rgba([(i * 20) as u8, 0, 0, 255])))?;
            }
        }
        film.finish()
    }

    #[test]
    fn a_png_is_the_last_frame() {
        let dir = folder("png");
        let path = film(&dir.join("deep/last.png"), 5).unwrap();
        assert_eq!(image::open(&path).unwrap().to_rgba8().get_pixel(3, 3).0, [80, 0, 0, 255]);
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let dir = folder("full");
        std::fs::create_dir_all(&dir).unwrap();
        for name in ["full.gif", "full.png"] {
            let path = dir.join(name);
            std::os::unix::fs::symlink("/dev/full", &path).unwrap();
            let told = film(&path, 3).unwrap_err().to_string();
            assert!(told.contains("cannot write") && told.contains(name), "{told}");
        }
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_folder_gets_numbered_pictures() {
        let dir = folder("numbers");
        film(&dir.join("frames/"), 3).unwrap();
        let mut names: Vec<_> =
            std::fs::read_dir(dir.join("frames")).unwrap().map(|f| f.unwrap().file_name().into_string()).collect();
        names.sort();
        assert_eq!(names.into_iter().flatten().collect::<Vec<_>>(), ["00001.png", "00002.png", "00003.png"]);
        assert_eq!(left_over(&dir.join("frames"), 3), None);
        assert_eq!(replaced(&dir.join("frames"), 1), [dir.join("frames/00001.png")]);
        let stale = ("00002.png".to_owned(), "00003.png".to_owned());
        assert_eq!(
            left_over(&dir.join("frames"), 1),
            Some(stale),
            "a shorter film is followed by those of a longer one"
        );
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_gif_keeps_real_time() {
        let dir = folder("gif");
        let path = film(&dir.join("film.gif"), 12).unwrap();
        let mut reader = gif::DecodeOptions::new().read_info(std::fs::File::open(&path).unwrap()).unwrap();
        let mut delays = Vec::new();
        while let Some(frame) = reader.read_next_frame().unwrap() {
            delays.push(frame.delay);
        }
        assert_eq!(delays.len(), 6, "every second of 12 frames at 60 Hz");
        assert_eq!(delays.iter().sum::<u16>(), 20, "12 frames at 60 Hz last 0.2 s");
        std::fs::remove_dir_all(dir).unwrap();
    }

    /// Pictures of a gray ramp with a small teal square that moves along it and a still one of the color of skin; from picture `later` on
    /// a red one comes in.
    fn squares(index: u32, later: u32) -> RgbaImage {
        let is_in =
            |x: u32, y: u32, left: u32, top: u32| (left..left + 10).contains(&x) && (top..top + 10).contains(&y);
        RgbaImage::from_fn(160, 100, |x, y| {
            let gray = (60 + x / 2 + y / 2) as u8;
            image::Rgba(if is_in(x, y, 20 + 2 * index, 20) {
                [30, 160, 150, 255]
            } else if is_in(x, y, 80, 60) {
                [225, 172, 140, 255]
            } else if index >= later && is_in(x, y, 30, 70) {
                [200, 30, 20, 255]
            } else {
                [gray, gray, gray, 255]
            })
        })
    }

    /// The pictures of a GIF.
    fn decoded(path: &Path) -> Vec<RgbaImage> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut reader = options.read_info(std::fs::File::open(path).unwrap()).unwrap();
        let mut pictures = Vec::new();
        while let Some(frame) = reader.read_next_frame().unwrap() {
            let (width, height) = (frame.width.into(), frame.height.into());
            pictures.push(RgbaImage::from_raw(width, height, frame.buffer.to_vec()).unwrap());
        }
        pictures
    }

    #[test]
    fn small_things_of_a_gif_keep_their_colors_and_still_ones_do_not_flicker() {
        const COUNT: u32 = 40;
        let dir = folder("colors");
        std::fs::create_dir_all(&dir).unwrap();
        let mut film = Film::create(&dir.join("film.gif"), (160, 100), 1.0 / 30.0).unwrap();
        (0..COUNT).for_each(|i| film.push(squares(i, 25)).unwrap());
        let pictures = decoded(&film.finish().unwrap());
        assert_eq!(pictures.len(), COUNT as usize);
        for (index, picture) in (0..).zip(&pictures) {
            let drawn = squares(index, 25);
            let mean = |picture: &RgbaImage, left: u32, top: u32, size: (u32, u32)| {
                let part = image::imageops::crop_imm(picture, left, top, size.0, size.1).to_image();
                let sum = part.pixels().fold([0.0; 3], |sum, p| [0, 1, 2].map(|k| sum[k] + f32::from(p.0[k])));
                sum.map(|sum| sum / (size.0 * size.1) as f32)
            };
            for (left, top) in [(20 + 2 * index, 20), (80, 60), (30, 70), (120, 84), (0, 0), (64, 40)] {
                let [kept, wanted] = [picture, &drawn].map(|picture| mean(picture, left, top, (8, 8)));
                let off = kept.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(off < 4.0, "picture {index}, {left} {top}: {kept:?} for {wanted:?}");
            }
            let levels = picture.iter().zip(drawn.iter()).map(|(a, b)| f32::from(a.abs_diff(*b)));
            let error = levels.sum::<f32>() / drawn.len() as f32;
            assert!(error < 3.0, "picture {index} is {error} levels off");
            let still = |x: u32, y: u32| y > 35 && !(30..40).contains(&x);
            let flickers = picture.enumerate_pixels().find(|(x, y, p)| still(*x, *y) && pictures[0][(*x, *y)] != **p);
            assert_eq!(flickers, None, "in picture {index}");
        }
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_film_that_is_given_up_leaves_the_one_before() {
        let dir = folder("given-up");
        let path = film(&dir.join("film.gif"), 12).unwrap();
        let before = std::fs::read(&path).unwrap();
        let mut begun = Film::create(&path, (16, 8), 1.0 / 60.0).unwrap();
        begun.push(RgbaImage::new(16, 8)).unwrap();
        drop(begun);
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 1);
        let told = film(&path, 0).unwrap_err().to_string();
        assert!(told.contains("no picture") && std::fs::read(&path).unwrap() == before, "{told}");
        film(&path, 6).unwrap();
        assert_ne!(std::fs::read(&path).unwrap(), before);
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 1);
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_film_through_a_link_replaces_what_it_leads_to_with_its_rights() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let dir = folder("through");
        let path = film(&dir.join("film.gif"), 12).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        let before = std::fs::read(&path).unwrap();
        let link = dir.join("link.gif");
        symlink("film.gif", &link).unwrap();
        let mut begun = Film::create(&link, (16, 8), 1.0 / 60.0).unwrap();
        begun.push(RgbaImage::new(16, 8)).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), before, "it is another file until it is whole");
        drop(begun);
        film(&link, 6).unwrap();
        assert!(link.is_symlink());
        assert_ne!(std::fs::read(&path).unwrap(), before);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 2);
        let long = dir.join(format!("{}.gif", "x".repeat(250)));
        film(&long, 6).unwrap();
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nothing_stays_one() {
        let dir = folder("link");
        std::fs::create_dir_all(&dir).unwrap();
        let link = dir.join("link.json");
        std::os::unix::fs::symlink(dir.join("nowhere.json"), &link).unwrap();
        check_writable(&link).unwrap();
        assert!(link.is_symlink() && !link.exists());
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn an_unknown_ending_names_the_known_ones() {
        let error = film(Path::new("picture.bmp"), 1).unwrap_err().to_string();
        assert!(error.contains(".bmp") && error.contains(".png") && error.contains(".mp4"), "{error}");
    }

    #[test]
    fn an_ending_alone_is_no_name() {
        for bare in [".png", "some/.GIF", "./.mp4"] {
            assert!(Kind::of(Path::new(bare)).unwrap_err().to_string().contains("as in x."), "{bare}");
        }
        for folder in [".png/", "frames", ".hidden"] {
            assert_eq!(Kind::of(Path::new(folder)).unwrap(), Kind::Folder, "{folder}");
        }
    }
}
