//! The value of a clip's channel at a time, as the glTF 2.0 specification interpolates (appendix C).

use glam::{Quat, Vec4};

use crate::import::{Channel, ChannelPath, Clip, Interpolation};

/// First and last key time of a clip [s]; 0 and 0 for a clip without keys.
pub fn span(clip: &Clip) -> (f32, f32) {
    let start = clip.channels.iter().filter_map(|c| c.times.first().copied()).fold(clip.duration, f32::min);
    (start, clip.duration)
}

/// `time` brought into a clip: into its keys when it loops, onto its ends otherwise. What is no number is the start.
pub(super) fn clip_time(clip: &Clip, time: f32, looping: bool) -> f32 {
    let (start, end) = span(clip);
    if !time.is_finite() || end <= start {
        start
    } else if looping {
        start + (time - start).rem_euclid(end - start)
    } else {
        time.clamp(start, end)
    }
}

/// The channel's value at `time` [s], held before the first key and after the last: three numbers and a zero, or a unit
/// quaternion. None for a channel without whole keys and for morph weights.
pub(super) fn value(channel: &Channel, time: f32) -> Option<Vec4> {
    let width = match channel.path {
        ChannelPath::Translation | ChannelPath::Scale => 3,
        ChannelPath::Rotation => 4,
        ChannelPath::MorphWeights => return None,
    };
    let cubic = channel.interpolation == Interpolation::CubicSpline;
    let parts = if cubic { 3 } else { 1 };
    if channel.times.is_empty() || channel.values.len() < channel.times.len() * parts * width {
        return None;
    }
    let part = |key: usize, which: usize| {
        let numbers = &channel.values[(key * parts + which) * width..][..width];
        Vec4::new(numbers[0], numbers[1], numbers[2], numbers.get(3).copied().unwrap_or(0.0))
    };
    let middle = usize::from(cubic);
    let found = match neighbors(&channel.times, time) {
        (before, None) => part(before, middle),
        (before, Some((after, span))) => {
            let share = (time - channel.times[before]) / span;
            let (a, b) = (part(before, middle), part(after, middle));
            match channel.interpolation {
                Interpolation::Step => a,
                Interpolation::CubicSpline => hermite(a, part(before, 2) * span, b, part(after, 0) * span, share),
                Interpolation::Linear if width == 4 => {
                    let (a, b) = (rotation(a), rotation(b));
                    Vec4::from(a.slerp(b, share))
                }
                Interpolation::Linear => a.lerp(b, share),
            }
        }
    };
    Some(if width == 4 { Vec4::from(rotation(found)) } else { found })
}

/// The key at or before `time`, and the one after it with the time between them, if both exist. Of keys at one time the
/// last counts.
fn neighbors(times: &[f32], time: f32) -> (usize, Option<(usize, f32)>) {
    let after = times.partition_point(|t| *t <= time);
    match after.checked_sub(1) {
        None => (0, None),
        Some(before) if after < times.len() => (before, Some((after, times[after] - times[before]))),
        Some(before) => (before, None),
    }
}

/// Cubic Hermite curve from `a` to `b`, with tangents in units of the interval.
fn hermite(a: Vec4, leaving: Vec4, b: Vec4, arriving: Vec4, t: f32) -> Vec4 {
    let (t2, t3) = (t * t, t * t * t);
    a * (2.0 * t3 - 3.0 * t2 + 1.0) + leaving * (t3 - 2.0 * t2 + t) + b * (3.0 * t2 - 2.0 * t3) + arriving * (t3 - t2)
}

fn rotation(v: Vec4) -> Quat {
    let length = v.length();
    if length > 1.0e-6 && length.is_finite() { Quat::from_vec4(v / length) } else { Quat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moving(interpolation: Interpolation, times: &[f32], values: &[f32]) -> Channel {
        let path = ChannelPath::Translation;
        Channel { node: 0, path, interpolation, times: times.to_vec(), values: values.to_vec() }
    }

    #[test]
    fn step_and_linear_hold_beyond_their_ends() {
        let values = [0.0, 0.0, 0.0, 2.0, 4.0, -2.0];
        let step = moving(Interpolation::Step, &[1.0, 3.0], &values);
        let linear = moving(Interpolation::Linear, &[1.0, 3.0], &values);
        for (time, stepped, straight) in
            [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 1.0), (2.999, 0.0, 1.999), (3.0, 2.0, 2.0), (9.0, 2.0, 2.0)]
        {
            assert_eq!(value(&step, time).unwrap().x, stepped);
            let found = value(&linear, time).unwrap();
            assert!((found - Vec4::new(1.0, 2.0, -1.0, 0.0) * straight).length() < 1e-5, "{time}: {found}");
        }
    }

    #[test]
    fn a_cubic_spline_passes_its_keys_with_their_tangents() {
        // Along x: from 0 leaving at 3 units a second, to 1 arriving at 0, in 2 s.
        #[rustfmt::skip]
        let values = [
            9.0, 9.0, 9.0,  0.0, 0.0, 0.0,  3.0, 0.0, 0.0,
            0.0, 0.0, 0.0,  1.0, 0.0, 0.0,  9.0, 9.0, 9.0,
        ];
        let channel = moving(Interpolation::CubicSpline, &[1.0, 3.0], &values);
        let at = |time| value(&channel, time).unwrap();
        assert_eq!((at(0.0).x, at(1.0).x, at(3.0).x, at(4.0).x), (0.0, 0.0, 1.0, 1.0));
        assert!((at(2.0) - Vec4::X * 1.25).length() < 1e-6, "{}", at(2.0));
        let speed = (at(1.001).x - at(1.0).x) / 0.001;
        assert!((speed - 3.0).abs() < 0.02, "{speed}");
    }

    #[test]
    fn rotations_take_the_shorter_arc_and_stay_unit() {
        let (a, b) = (Quat::from_rotation_y(0.1), -Quat::from_rotation_y(0.5));
        let values = [a.to_array(), b.to_array()].concat();
        let linear = Channel { path: ChannelPath::Rotation, ..moving(Interpolation::Linear, &[0.0, 1.0], &values) };
        let middle = Quat::from_vec4(value(&linear, 0.5).unwrap());
        assert!(middle.angle_between(Quat::from_rotation_y(0.3)) < 1e-3, "{middle}");
        let long = Channel { values: vec![0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0], ..linear };
        assert_eq!(value(&long, 0.0), Some(Vec4::W));
        assert_eq!(value(&long, 2.0), Some(Vec4::W));
    }

    #[test]
    fn hostile_keys_give_numbers() {
        let same = moving(Interpolation::Linear, &[1.0, 1.0, 1.0], &[0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 7.0, 0.0, 0.0]);
        assert_eq!((value(&same, 0.9).unwrap().x, value(&same, 1.0).unwrap().x), (0.0, 7.0));
        assert_eq!(value(&moving(Interpolation::Linear, &[], &[]), 0.0), None);
        assert_eq!(value(&moving(Interpolation::CubicSpline, &[0.0], &[1.0, 2.0, 3.0]), 0.0), None);
        let near = moving(Interpolation::Linear, &[1.0, 1.0 + f32::EPSILON], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        assert!(value(&near, 1.0 + 0.5 * f32::EPSILON).unwrap().is_finite());
    }

    #[test]
    fn looping_wraps_into_the_keys() {
        let channel = moving(Interpolation::Linear, &[0.5, 2.5], &[0.0; 6]);
        let clip = Clip { name: "a".into(), channels: vec![channel], duration: 2.5 };
        assert_eq!(span(&clip), (0.5, 2.5));
        for (time, wrapped, clamped) in [(0.75, 0.75, 0.75), (3.0, 1.0, 2.5), (-1.0, 1.0, 0.5), (f32::NAN, 0.5, 0.5)] {
            assert_eq!((clip_time(&clip, time, true), clip_time(&clip, time, false)), (wrapped, clamped));
        }
        let empty = Clip { name: "b".into(), channels: Vec::new(), duration: 0.0 };
        assert_eq!((span(&empty), clip_time(&empty, 3.0, true)), ((0.0, 0.0), 0.0));
    }
}
