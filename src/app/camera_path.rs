//! A camera that follows a path: views at given times, and a smooth interpolation between them.

use std::path::Path;

use anyhow::{Context as _, Result};
use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::files;
use crate::render::Camera;
use crate::scene::View;
use crate::scene_file::{FileError, Problem, Source, options, read_text};

/// Nearest that the eye is to what it looks at [m].
const NEAREST: f32 = 1e-3;
/// Time to the next view where the scene has not gone on since the last one [s].
const STEP: f32 = 2.0;

/// A view at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Key {
    /// Time since the start of the scene [s].
    pub(crate) time: f32,
    /// Camera position [m].
    pub(crate) eye: Vec3,
    /// Point looked at [m].
    pub(crate) target: Vec3,
    /// Vertical field of view [degrees].
    #[serde(default = "usual_fov")]
    pub(crate) fov: f32,
}

fn usual_fov() -> f32 {
    Camera::default().fov_y.to_degrees().round()
}

/// Views in the order of their times; may be empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CameraPath {
    /// The views.
    pub(crate) keys: Vec<Key>,
}

impl CameraPath {
    /// Reads a file.
    ///
    /// # Errors
    /// [`FileError`] naming line, column and key.
    pub(crate) fn load(path: &Path) -> Result<Self, FileError> {
        let text = read_text(path)?;
        let source = Source { file: path, text: &text };
        let read: Self = source.read(&text, "")?;
        let told = if read.keys.is_empty() { Err("a camera path needs a key".to_owned()) } else { read.check() };
        told.map_err(|told| source.error(&text, Problem::Text(told)))?;
        Ok(read)
    }

    /// Whether it has no views.
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// What is wrong with its numbers, as a sentence.
    pub(crate) fn check(&self) -> Result<(), String> {
        for (i, key) in self.keys.iter().enumerate() {
            let wrong = |what: &str| Err(format!("keys[{i}]: {what}"));
            if !(key.time.is_finite() && key.eye.is_finite() && key.target.is_finite()) {
                return wrong("its numbers must be finite");
            }
            if i > 0 && key.time <= self.keys[i - 1].time {
                return wrong(&format!("`time` is {}; it must be later than that of the previous key", key.time));
            }
            if key.eye.distance(key.target) < NEAREST {
                return wrong("`target` must differ from `eye`");
            }
            if !(1.0..=170.0).contains(&key.fov) {
                return wrong(&format!("`fov` is {}; it must be from 1 to 170 degrees", key.fov));
            }
        }
        Ok(())
    }

    /// Writes a file.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let style = ron::ser::PrettyConfig::new().depth_limit(2).indentor("  ");
        let text = options().to_string_pretty(self, style)?;
        files::write(path, text + "\n").with_context(|| format!("cannot write {}", path.display()))
    }

    /// Adds a view at the present time of the scene [s], or after the last one where there is one at that time. Returns its time.
    pub(crate) fn add(&mut self, now: f32, camera: &Camera) -> f32 {
        let stands = self.keys.iter().any(|key| key.time == now);
        let time = self.keys.last().filter(|_| stands).map_or(now, |last| last.time + STEP);
        let fov = (100.0 * camera.fov_y.to_degrees()).round() / 100.0;
        let place = self.keys.partition_point(|key| key.time < time);
        self.keys.insert(place, Key { time, eye: camera.eye, target: camera.target, fov });
        time
    }

    /// The camera at a time [s]: that of the first view before it, that of the last one after it. None without views.
    pub(crate) fn at(&self, time: f32) -> Option<Camera> {
        let keys = &self.keys;
        let next = keys.partition_point(|key| key.time <= time);
        let i = next.checked_sub(1);
        let (Some(i), Some(_)) = (i, keys.get(next)) else {
            let end = if next == 0 { keys.first() } else { keys.last() };
            return end.map(|key| camera(key.eye, key.target, key.fov));
        };
        let along = |of: fn(&Key) -> Vec3| self.between(i, time, of);
        let (eye, target) = (along(|key| key.eye), along(|key| key.target));
        let fov = along(|key| Vec3::splat(key.fov)).x.clamp(1.0, 170.0);
        let target = if eye.distance(target) < NEAREST { eye + keys[i].target - keys[i].eye } else { target };
        Some(camera(eye, target, fov))
    }

    /// A cubic between view `i` and the next, whose slopes at both are those of the parabola through three views (a Catmull-Rom spline
    /// over times that need not be even).
    fn between(&self, i: usize, time: f32, of: fn(&Key) -> Vec3) -> Vec3 {
        let keys = &self.keys;
        let slope = |from: usize, to: usize| (of(&keys[to]) - of(&keys[from])) / (keys[to].time - keys[from].time);
        let tangent = |k: usize| match (k.checked_sub(1), keys.get(k + 1)) {
            (Some(before), Some(after)) => {
                let (past, ahead) = (keys[k].time - keys[before].time, after.time - keys[k].time);
                (ahead * slope(before, k) + past * slope(k, k + 1)) / (past + ahead)
            }
            (None, _) => slope(k, k + 1),
            (Some(before), None) => slope(before, k),
        };
        let length = keys[i + 1].time - keys[i].time;
        let s = (time - keys[i].time) / length;
        let (from, to) = (of(&keys[i]), of(&keys[i + 1]));
        let (leaving, arriving) = (tangent(i) * length, tangent(i + 1) * length);
        let rest = 1.0 - s;
        let eased = s * s * (3.0 - 2.0 * s);
        from.lerp(to, eased) + s * rest * (rest * leaving - s * arriving)
    }
}

fn camera(eye: Vec3, target: Vec3, fov: f32) -> Camera {
    Camera { fov_y: fov.to_radians(), ..View { eye, target }.into() }
}

/// A view turned about the vertical through what it looks at [rad].
pub(crate) fn orbited(view: View, angle: f32) -> View {
    let arm = glam::Quat::from_rotation_y(angle) * (view.eye - view.target);
    View { eye: view.target + arm, ..view }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file::SceneFile;

    fn path(times: &[f32], eyes: &[Vec3]) -> CameraPath {
        let key = |(time, eye): (&f32, &Vec3)| Key { time: *time, eye: *eye, target: Vec3::ZERO, fov: 40.0 };
        CameraPath { keys: times.iter().zip(eyes).map(key).collect() }
    }

    #[test]
    fn it_goes_through_its_views_smoothly_and_stays_at_the_ends() {
        let eyes =
            [Vec3::new(3.0, 1.0, 0.0), Vec3::new(0.0, 2.0, 4.0), Vec3::new(-3.0, 1.0, 0.5), Vec3::new(-3.0, 1.0, -3.0)];
        let times = [0.0, 1.0, 1.5, 4.0];
        let path = path(&times, &eyes);
        assert_eq!(path.check(), Ok(()));
        let eye = |time: f32| path.at(time).unwrap().eye;
        for (time, expected) in times.iter().zip(eyes) {
            assert!(eye(*time).distance(expected) < 1e-5, "{time}");
        }
        assert_eq!((eye(-1.0), eye(9.0)), (eyes[0], eyes[3]));
        for k in 1..400 {
            let (before, now, after) = (eye(0.01 * (k - 1) as f32), eye(0.01 * k as f32), eye(0.01 * (k + 1) as f32));
            // Velocity does not jump: over a hundredth of a second it changes by its acceleration.
            assert!(((after - now) - (now - before)).length() < 0.02, "{k}: {before} {now} {after}");
        }
        assert!((path.at(0.7).unwrap().fov_y.to_degrees() - 40.0).abs() < 1e-3);
        assert_eq!(CameraPath::default().at(1.0), None);
    }

    #[test]
    fn a_straight_path_at_even_speed_stays_so() {
        let eyes: Vec<Vec3> = [0.0, 1.0, 3.0, 3.5].map(|t| Vec3::new(2.0 * t, 1.0, 1.0)).to_vec();
        let path = path(&[0.0, 1.0, 3.0, 3.5], &eyes);
        for k in 0..=35 {
            let time = 0.1 * k as f32;
            assert!((path.at(time).unwrap().eye.x - 2.0 * time).abs() < 1e-4, "{time}");
        }
    }

    #[test]
    fn views_are_added_later_and_orbits_keep_their_distance() {
        let mut path = CameraPath::default();
        let view = View { eye: Vec3::new(3.0, 2.0, 0.0), target: Vec3::Y };
        let camera = Camera { fov_y: 0.5, ..view.into() };
        assert_eq!([1.0, 1.0, 1.0, 9.0].map(|now| path.add(now, &camera)), [1.0, 3.0, 5.0, 9.0]);
        assert_eq!(path.add(4.0, &view.into()), 4.0, "the scene was begun again");
        assert_eq!(path.keys.iter().map(|key| key.time).collect::<Vec<_>>(), [1.0, 3.0, 4.0, 5.0, 9.0]);
        assert_eq!((path.keys[0].fov, path.keys[2].fov, path.check()), (28.65, 45.0, Ok(())));
        let turned = orbited(view, std::f32::consts::FRAC_PI_2);
        assert!(turned.eye.distance(Vec3::new(0.0, 2.0, -3.0)) < 1e-5, "{turned:?}");
    }

    #[test]
    fn what_is_wrong_is_told_with_line_and_key() {
        let folder = std::env::temp_dir().join(format!("sinew-path-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.path.ron");
        let load = |text: &str| {
            std::fs::write(&file, text).unwrap();
            CameraPath::load(&file).map_err(|error| error.to_string())
        };
        let one = "(time: 0, eye: (3, 1, 0), target: (0, 1, 0))";
        assert_eq!(load(&format!("(keys: [{one}])")).unwrap().keys[0].fov, 45.0);
        for (keys, words) in [
            (format!("{one},\n{one}"), &["keys[1]", "later"][..]),
            (one.replace("3, 1", "0, 1"), &["keys[0]", "differ"]),
            (one.replace("time: 0", "time: 0, fov: 300"), &["`fov` is 300", "170"]),
            (one.replace("eye", "eyes"), &["a.path.ron:1:", "`eyes`", "`eye`"]),
            (String::new(), &["needs a key"]),
        ] {
            let error = load(&format!("(keys: [{keys}])")).unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{keys}: {error}");
        }
        let path = path(&[0.0, 1.5], &[Vec3::X, Vec3::Z]);
        path.write(&file).unwrap();
        assert_eq!(CameraPath::load(&file).unwrap(), path);
        let told = SceneFile::load(&file).unwrap().stage().unwrap_err().to_string();
        assert!(told.contains("a.path.ron: it is a camera path") && told.contains("--camera-path"), "{told}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
