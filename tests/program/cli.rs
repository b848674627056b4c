//! The `sinew` command as its users meet it: exit codes, one-sentence errors, files written.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The command, away from any display and from the tester's settings.
fn command() -> Command {
    command_by(env!("CARGO_BIN_EXE_sinew"))
}

fn command_by(program: &str) -> Command {
    let mut command = Command::new(program);
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "RUST_LOG", "SINEW_ADAPTER", "SINEW_LIMITS"] {
        command.env_remove(variable);
    }
    // A Mesa layer complains on standard error where there is none; dispatches are cheap without worker threads.
    command.env("XDG_RUNTIME_DIR", std::env::temp_dir()).env("LP_NUM_THREADS", "0");
    command
}

fn sinew(args: &[&str]) -> Output {
    command().args(args).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The one line that a wrong command line or input gets.
fn refused(args: &[&str]) -> String {
    let output = sinew(args);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {errors}");
    assert!(output.stdout.is_empty(), "{args:?} wrote to standard output");
    assert_eq!(errors.trim_end().lines().count(), 1, "{args:?}: {errors}");
    assert!(errors.starts_with("sinew: ") && !errors.contains("panicked"), "{args:?}: {errors}");
    errors
}

/// Keys of an object in order, with blanks between.
fn keys(value: &serde_json::Value) -> String {
    let mut keys: Vec<String> = value.as_object().expect("an object").keys().cloned().collect();
    keys.sort();
    keys.join(" ")
}

/// A folder of its own for each test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sinew-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover in the temporary folder is no reason to fail.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn wrong_usage_is_one_sentence_and_exit_code_2() {
    assert!(refused(&["render", "tower", "--out", "x.png"]).contains("--frames"));
    assert!(refused(&["render", "tower", "--frames", "0", "--out", "x.png"]).contains("--frames"));
    assert!(refused(&["render", "tower", "--frames", "2", "--out", "x.png", "--size", "big"]).contains("1280x720"));
    for wrong in ["0", "-0.1", "wide"] {
        let args = ["render", "tower", "--frames", "2", "--out", "x.png", "--aperture", wrong];
        assert!(refused(&args).contains("meters above 0"), "{wrong}");
    }
    assert!(refused(&["render", "tower", "--frames", "2", "--out", "x.png", "--focus", "2"]).contains("--aperture"));
    assert!(refused(&["report", "tower", "--frame", "2"]).contains("--frames"));
    assert!(refused(&["report", "tower", "--frames", "-1"]).contains("1..=1000000"));
    assert!(refused(&["report", "dancer", "--frames", "1", "--limp-at", "-1"]).contains("a whole number from 0"));
    assert!(refused(&["export", "tower", "--out", "x.glb", "--fps", "-3"]).contains("from 1 to 1000"));
    assert!(refused(&["render", "tower", "--frames", "2", "--out", "-"]).contains("standard output"));
    let wrong = command().env("SINEW_LIMITS", "most").args(["report", "tower", "--frames", "1"]).output().unwrap();
    assert!(text(&wrong.stderr).contains("SINEW_LIMITS: `most` is neither"), "{}", text(&wrong.stderr));
    assert!(refused(&["tower", "--set", "height"]).contains("key=value"));
    assert!(refused(&["inspect"]).contains("MODEL"));
    assert!(refused(&["bench", "nonsense"]).contains("choose from"));
    assert!(refused(&["bench", "s0", "--most", "5"]).contains("--most"));
    assert!(refused(&["tower", "render", "tower", "--frames", "1", "--out", "x.png"]).contains("after the command"));
}

#[test]
fn wrong_settings_name_the_nearest_key_and_the_range() {
    let error = refused(&["report", "tower", "--frames", "1", "--set", "heigth=3"]);
    assert!(error.contains("`height`") && error.contains("1 to"), "{error}");
    let error = refused(&["report", "tower", "--frames", "1", "--set", "substeps=0"]);
    assert!(error.contains("`substeps`") && error.contains("from 1 to 64"), "{error}");
    let error = refused(&["report", "towr", "--frames", "1"]);
    assert!(error.contains("did you mean `tower`"), "{error}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let drawn = |more: &[&str]| refused(&[&["render", "tower", "--frames", "2", "--out", "x.png"], more].concat());
    assert!(drawn(&["--camera", "3,2,5,x,0,1,0"]).contains("six numbers"));
    assert!(drawn(&["--from", "1"]).contains("--from is for films"));
    assert!(drawn(&["--show", "particles,speed,rest"]).contains("`speed` and `rest`"));
    assert!(refused(&["render", "tower", "--frames", "2", "--out", ".png"]).contains("a name is missing"));
    for (option, value) in [("scale", "2"), ("ragdoll", "x.ron")] {
        let (long, set) = (format!("--{option}"), format!("{option}={value}"));
        let told = refused(&["report", "tower", "--frames", "1", &long, value]);
        assert!(told.contains(&format!("{long} is for model files, and `tower` is a demo")), "{told}");
        assert!(refused(&["tower", &long, value]).contains("is a demo"));
        let told = refused(&["inspect", "x.glb", &long, value, "--set", &set]);
        assert!(told.contains(&format!("{long} and --set {option} mean the same")), "{told}");
    }
}

#[test]
fn only_who_is_animated_goes_limp_and_clips_are_named() {
    assert!(refused(&["report", "tower", "--frames", "1", "--limp-at", "1"]).contains("no character here is animated"));
    let error = refused(&["report", "dancer", "--frames", "1", "--set", "clip=polka"]);
    assert!(error.contains("`polka`") && error.contains("walk"), "{error}");
    let told = |when: &str| {
        let output = sinew(&["report", "dancer", "--frames", "3", "--limp-at", when, "--set", "count=0"]);
        assert!(output.status.success());
        text(&output.stderr)
    };
    assert_eq!(told("2"), "");
    assert!(told("3").contains("--limp-at 3: nothing goes limp, as there are only 3 frames"));
}

#[test]
fn a_report_ends_with_1_when_something_left_the_world() {
    let folder = Scratch::new("left");
    let file = folder.path("left.ron");
    let ball = r#"Body(name: "ball", shape: Sphere(0.1), position: (0, 0.1, 0), velocity: (50, 0, 0))"#;
    for (extent, code, healthy) in [(100, 0, "yes"), (1, 1, "NO")] {
        std::fs::write(&file, format!("(params: (world_extent: {extent}), items: [Ground(), {ball}])")).unwrap();
        let output = sinew(&["report", &file, "--frames", "4"]);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        let told = text(&output.stdout);
        assert_eq!(told.lines().find_map(|line| line.strip_prefix("healthy")).map(str::trim), Some(healthy), "{told}");
    }
}

#[test]
fn wrong_files_are_named() {
    let folder = Scratch::new("files");
    let missing = folder.path("knight.glb");
    let (junk, cut) = (folder.path("junk.glb"), folder.path("cut.glb"));
    std::fs::write(&junk, "this is not a model at all").unwrap();
    // A correct header that promises far more than there is.
    std::fs::write(&cut, [b"glTF".as_slice(), &2_u32.to_le_bytes(), &9999_u32.to_le_bytes()].concat()).unwrap();
    for file in [&missing, &junk, &cut] {
        let name = file.rsplit('/').next().unwrap();
        assert!(refused(&["inspect", file]).contains(name));
        assert!(refused(&["report", file, "--frames", "1"]).contains(name));
    }
    let nowhere = folder.path("no/such/folder.json");
    assert!(refused(&["report", "tower", "--frames", "1", "--json", &nowhere]).contains("folder.json"));
    for a_folder in [folder.path(""), folder.path("none/")] {
        let told = refused(&["report", "tower", "--frames", "1", "--json", &a_folder]);
        assert!(told.contains("is a folder; give the name of a file"), "{told}");
    }
    let picture = folder.path("x.tiff");
    let error = refused(&["render", "tower", "--frames", "1", "--out", &picture]);
    assert!(error.contains(".tiff") && error.contains(".png"), "{error}");
}

#[test]
fn inspect_says_what_a_soft_body_would_be() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/dancer.glb");
    let output = sinew(&["inspect", model, "--set", "material=soft"]);
    let told = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for part in ["dancer: soft", "particles", "tetrahedra", "angles between faces", "m³ inside the skin", "warning: "]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    let cloth = sinew(&["inspect", model, "--set", "material=cloth", "--set", "pin=top"]);
    assert!(cloth.status.success() && text(&cloth.stdout).contains("dancer: cloth"), "{}", text(&cloth.stderr));
    assert!(refused(&["inspect", model, "--set", "material=cloth", "--set", "pin=red"]).contains("no vertex is red"));
    assert!(refused(&["inspect", model, "--set", "material=sof"]).contains("ragdoll|soft|rigid|cloth"));
    assert!(refused(&["inspect", model, "--set", "material=soft", "--write", "x.ron"]).contains("material=ragdoll"));
}

#[test]
fn inspect_writes_over_no_model_and_uses_or_refuses_its_settings() {
    let folder = Scratch::new("inspect");
    let (model, changes) = (folder.path("m.glb"), folder.path("m.ron"));
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/dancer.glb")).unwrap();
    std::fs::write(&model, &bytes).unwrap();
    for wrong in ["m.glb", "m", "m.txt"] {
        assert!(refused(&["inspect", &model, "--write", &folder.path(wrong)]).contains(".ron"), "{wrong}");
    }
    assert_eq!(std::fs::read(&model).unwrap(), bytes);
    assert!(sinew(&["inspect", &model, "--write", &changes]).status.success());
    let told = |more: &[&str]| {
        let output = sinew(&[&["inspect", &model], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let (plain, tall) = (told(&[]), told(&["--scale", "3"]));
    assert_ne!(plain, tall);
    assert_eq!(told(&["--set", "scale=3"]), tall);
    let changed = told(&["--ragdoll", &changes]);
    assert_ne!(plain, changed);
    assert_eq!(told(&["--set", "scale=0", "--set", &format!("ragdoll={changes}")]), changed);
    assert!(refused(&["inspect", &model, "--set", "ragdoll=nowhere.ron"]).contains("nowhere.ron"));
    for unused in ["clip=walk", "particles=900", "substeps=5"] {
        let key = unused.split('=').next().unwrap();
        assert!(refused(&["inspect", &model, "--set", unused]).contains(&format!("--set {key}")), "{unused}");
    }
    let soft = ["inspect", &model, "--set", "material=soft", "--set", "drop=2"];
    assert!(refused(&soft).contains("--set drop"));
}

#[test]
fn an_unknown_adapter_lists_those_that_exist() {
    let error = refused(&["report", "tower", "--frames", "1", "--adapter", "no such card"]);
    assert!(error.contains("no such card") && error.contains("there are"), "{error}");
}

#[test]
fn adapters_are_listed_one_a_line_and_can_be_chosen_by_backend() {
    let output = sinew(&["adapters"]);
    assert!(output.status.success());
    let list = text(&output.stdout);
    let backend = list.split_whitespace().next().expect("an adapter");
    assert!(["vulkan", "metal", "dx12", "gl"].contains(&backend), "{list}");
    let run = sinew(&["report", "spin", "--frames", "1", "--adapter", backend, "--limits", "webgpu", "--json", "-"]);
    assert!(run.status.success() && text(&run.stdout).contains(backend), "{}", text(&run.stderr));
    assert!(refused(&["report", "spin", "--frames", "1", "--limits", "none"]).contains("webgpu"));
}

#[test]
fn every_adapter_draws() {
    let folder = Scratch::new("adapters");
    let list = text(&sinew(&["adapters"]).stdout);
    let backends: std::collections::BTreeSet<&str> =
        list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let pictures = backends.into_iter().map(|backend| {
        let path = folder.path(&format!("{backend}.png"));
        let draw = ["render", "tower", "--set", "height=1", "--frames", "1", "--size", "64x48", "--out", &path];
        let output = sinew(&[&draw[..], &["--adapter", backend]].concat());
        assert!(output.status.success() && output.stderr.is_empty(), "{backend}: {}", text(&output.stderr));
        image::open(&path).unwrap().to_rgba8().into_raw()
    });
    let pictures: Vec<_> = pictures.collect();
    for other in &pictures[1..] {
        let apart = pictures[0].iter().zip(other).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>();
        assert!(apart < 2.0 * other.len() as f64, "{apart}");
    }
}

#[test]
fn demos_are_listed_one_a_line_with_their_parameters() {
    let output = sinew(&["demos"]);
    assert!(output.status.success());
    let list = text(&output.stdout);
    for name in ["dancer", "ragdolls", "pairs", "joints", "tower", "pile"] {
        assert_eq!(list.lines().filter(|l| l.split_whitespace().next() == Some(name)).count(), 1, "{name}\n{list}");
    }
    assert!(list.lines().any(|l| l.starts_with("tower") && l.contains("height=")), "{list}");
    let help = sinew(&["--help"]);
    assert!(help.status.success() && text(&help.stdout).contains("render"));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = command().arg("demos").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
}

/// `sinew report` of two frames that writes its measures to a file, with this for its standard output.
fn report_to(json: &str, stdout: Stdio) -> Output {
    let mut command = command();
    command.args(["report", "tower", "--set", "height=1", "--frames", "2", "--json", json]);
    let mut child = command.stdout(stdout).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    child.wait_with_output().unwrap()
}

#[test]
fn measures_are_written_though_nobody_reads_them() {
    let folder = Scratch::new("unread");
    let path = folder.path("left.json");
    let output = report_to(&path, Stdio::piped());
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    assert!(std::fs::read_to_string(&path).unwrap().contains("state_hash"));
    #[cfg(target_os = "linux")]
    {
        let path = folder.path("full.json");
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = report_to(&path, full.into());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("standard output"), "{}", text(&output.stderr));
        assert!(std::fs::read_to_string(&path).unwrap().contains("state_hash"));
    }
}

#[test]
fn no_result_is_written_over_what_was_read() {
    let folder = Scratch::new("read");
    let (scene, rig, model) = (folder.path("s.ron"), folder.path("rig.ron"), folder.path("m.glb"));
    std::fs::write(&scene, "// Mine.\n(items: [Ground(), Rigid(model: \"m.glb\")])").unwrap();
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/dancer.glb"), &model).unwrap();
    assert!(sinew(&["inspect", &model, "--write", &rig]).status.success());
    let before = [&scene, &rig, &model].map(|path| std::fs::read(path).unwrap());
    for args in [
        &["export", &scene, "--out", &scene][..],
        &["export", &scene, "--frames", "1", "--out", &model],
        &["export", &model, "--ragdoll", &rig, "--out", &rig],
        &["report", &scene, "--frames", "1", "--json", &scene],
        &["report", &scene, "--frames", "1", "--json", &format!("{}/./m.glb", folder.path(""))],
        &["inspect", &model, "--ragdoll", &rig, "--write", &rig],
        // Refused before the frames are simulated, which would take hours.
        &["bench", "ab", &scene, "--side", "", "--side", "", "--frames", "100000", "--json", &scene],
        &["bench", "ab", &scene, "--against", env!("CARGO_BIN_EXE_sinew"), "--frames", "100000", "--plot", &model],
    ] {
        let told = refused(args);
        assert!(told.contains("is an input of this command and would be overwritten"), "{args:?}: {told}");
    }
    assert_eq!([&scene, &rig, &model].map(|path| std::fs::read(path).unwrap()), before);
    let both = folder.path("both");
    assert!(refused(&["bench", "s0", "--json", &both, "--plot", &both]).contains("both"));
    assert!(refused(&["bench", "s0", "--plot", &both]).contains("must end in .svg"));
    #[cfg(unix)]
    {
        let (link, twin) = (folder.path("link.ron"), folder.path("twin.ron"));
        std::os::unix::fs::symlink("rig.ron", &link).unwrap();
        std::fs::hard_link(&rig, &twin).unwrap();
        for other in [&link, &twin] {
            assert!(
                refused(&["inspect", &model, "--ragdoll", &rig, "--write", other])
                    .contains("is an input of this command")
            );
        }
    }
}

#[test]
fn numbered_pictures_take_the_place_of_none_that_was_read() {
    let folder = Scratch::new("numbered");
    // A model that keeps its numbers in a file of such a name.
    let glb = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/dancer.glb")).unwrap();
    let length = 20 + u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut json: serde_json::Value = serde_json::from_slice(&glb[20..length]).unwrap();
    json["buffers"][0]["uri"] = "00002.png".into();
    let model = folder.path("m.gltf");
    std::fs::write(&model, json.to_string()).unwrap();
    std::fs::write(folder.path("00002.png"), &glb[length + 8..]).unwrap();
    let whole = folder.path("");
    let drawn = ["render", &model, "--frames", "2", "--size", "32x32", "--out", &whole];
    let told = refused(&drawn);
    assert!(told.contains("00002.png` is an input of this command and would be overwritten"), "{told}");
    assert_eq!(std::fs::read(folder.path("00002.png")).unwrap(), &glb[length + 8..]);
    let output = sinew(&[&drawn[..], &["--from", "1"]].concat());
    assert!(output.status.success() && folder.0.join("00001.png").is_file(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("00002.png to 00002.png are from before"), "{}", text(&output.stderr));
}

#[cfg(target_os = "linux")]
#[test]
fn who_stops_a_film_finds_the_one_before_and_no_pieces() {
    use std::os::unix::process::ExitStatusExt as _;
    use std::time::{Duration, Instant};
    let folder = Scratch::new("stopped");
    let film = folder.path("film.gif");
    std::fs::write(&film, "the one before").unwrap();
    let pieces = || std::fs::read_dir(&folder.0).unwrap().count() - 1;
    let filming = |mut command: Command| {
        command.args(["render", "tower", "--set", "height=1", "--frames", "100000", "--size", "64x64", "--out", &film]);
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        while pieces() == 0 {
            assert!(begun.elapsed() < Duration::from_secs(60), "no film was begun");
            std::thread::sleep(Duration::from_millis(20));
        }
        // The first piece is there a moment before signals are heeded.
        std::thread::sleep(Duration::from_millis(500));
        child
    };
    let send = |signal: &str, child: &std::process::Child, times: usize| {
        let kill = format!("kill {signal} {}; ", child.id()).repeat(times);
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    };
    // `timeout` sends its signal twice at once.
    let kinds = [("-INT", 2, 1), ("-TERM", 15, 1), ("-HUP", 1, 1), ("-TERM", 15, 2)];
    for (signal, number, times) in kinds {
        // Whoever runs the tests may have these ignored.
        let mut heeding = command_by("env");
        heeding.args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_sinew")]);
        let child = filming(heeding);
        send(signal, &child, times);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(number), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("of 100000 frames"), "{}", text(&output.stderr));
        assert_eq!(pieces(), 0, "{signal}");
        assert_eq!(std::fs::read_to_string(&film).unwrap(), "the one before");
    }
    // What is to be ignored stays so.
    let mut nohup = command_by("env");
    nohup.args(["--default-signal=TERM", "nohup", env!("CARGO_BIN_EXE_sinew")]);
    let mut child = filming(nohup);
    send("-HUP", &child, 1);
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "it ended although it was told to go on");
    send("-TERM", &child, 1);
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert_eq!(pieces(), 0);
}

#[test]
fn render_writes_a_picture_of_the_asked_size() {
    let folder = Scratch::new("render");
    let path = folder.path("deep/er/tower.png");
    let output = sinew(&["render", "tower", "--set", "height=2", "--frames", "3", "--size", "200x120", "--out", &path]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).trim(), path);
    let picture = image::open(&path).unwrap().to_rgba8();
    assert_eq!(picture.dimensions(), (200, 120));
    let first = *picture.get_pixel(0, 0);
    assert!(picture.pixels().any(|p| *p != first), "the picture is all one colour");
}

#[test]
fn render_numbers_pictures_in_a_folder() {
    let folder = Scratch::new("numbers");
    let path = folder.path("frames/");
    let output = sinew(&["render", "tower", "--set", "height=1", "--frames", "3", "--size", "64x48", "--out", &path]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_dir(&path).unwrap().count(), 3);
}

#[test]
fn blank_words_draw_no_band() {
    let folder = Scratch::new("blank");
    let drawn = |more: &[&str]| {
        let path = folder.path("x.png");
        let draw = ["render", "tower", "--set", "height=1", "--frames", "1", "--size", "64x48", "--out", &path];
        let output = sinew(&[&draw[..], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::read(&path).unwrap()
    };
    let plain = drawn(&[]);
    assert!(drawn(&["--caption", " "]) == plain);
    assert!(drawn(&["--caption", "a"]) != plain);
}

#[cfg(unix)]
#[test]
fn an_mp4_has_no_more_pictures_than_displays_show_and_is_never_empty() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Scratch::new("mp4");
    let (encoder, film) = (folder.path("ffmpeg"), folder.path("x.mp4"));
    let filmed = |script: &str| {
        std::fs::write(&encoder, format!("#!/bin/sh\n{script}")).unwrap();
        std::fs::set_permissions(&encoder, std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = command();
        command.env("PATH", format!("{}:{path}", folder.path(""))).args(["render", "tower", "--set", "height=1"]);
        command.args(["--set", "dt=0.001", "--frames", "20", "--size", "32x16", "--out", &film]).output().unwrap()
    };
    // Its own words, and then the pictures.
    let output = filmed("for last; do :; done; { echo \"$@\"; cat; } > \"${last#file:}\"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let kept = std::fs::read(&film).unwrap();
    let end = kept.iter().position(|byte| *byte == b'\n').unwrap();
    let words = text(&kept[..end]);
    assert!(words.contains("-r 111.111 "), "{words}");
    assert_eq!(kept.len() - end - 1, 3 * 32 * 16 * 4, "frames 0, 9 and 18");
    let output = filmed("cat > /dev/null");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("empty"), "{}", text(&output.stderr));
    assert!(std::fs::read(&film).unwrap() == kept && std::fs::read_dir(&folder.0).unwrap().count() == 2);
}

#[test]
fn without_a_display_the_window_command_draws_a_picture() {
    let folder = Scratch::new("still");
    let output = command().args(["tower", "--set", "height=1"]).current_dir(&folder.0).output().unwrap();
    let errors = text(&output.stderr);
    // One line, whatever drivers have to say.
    assert!(output.status.success() && errors.trim_end().lines().count() == 1, "{errors}");
    assert!(errors.contains("no display") && errors.contains("tower after 180 frames into out/tower.png"), "{errors}");
    let path = text(&output.stdout);
    assert!(path.trim() == "out/tower.png" && folder.0.join("out/tower.png").is_file(), "{path}");
}

/// A take of somebody who throws a ball at a small tower and undoes a crate.
const TAKE: &str = r#"(
  format: 1,
  target: "tower",
  set: (height: 2),
  frames: 12,
  path: (keys: [(time: 0, eye: (2, 1, 3), target: (0, 0.5, 0)), (time: 0.1, eye: (3, 2, 0), target: (0, 0.5, 0))]),
  deeds: [
    (2, Throw(ray: (origin: (0, 0.6, 2), direction: (0, 0, -1)), ball: (speed: 9))),
    (4, Put(tool: Crate, ray: (origin: (0.8, 3, 0), direction: (0, -1, 0)))),
    (6, Undo),
    (7, Explode(ray: (origin: (0.3, 3, 0), direction: (0, -1, 0)), bang: (speed: 4))),
  ],
)"#;

#[test]
fn a_take_is_reported_rendered_and_exported_again() {
    let folder = Scratch::new("take");
    let take = folder.path("x.take.ron");
    std::fs::write(&take, TAKE).unwrap();
    let report = |take: &str, more: &[&str]| {
        let output = sinew(&[&["report", take, "--json", "-"], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (json["state_hash"].as_str().unwrap().to_owned(), json, text(&output.stderr))
    };
    let (hash, json, _) = report(&take, &[]);
    assert_eq!((json["frames"].as_u64(), json["counts"]["bodies"].as_u64()), (Some(12), Some(3)), "{json}");
    // The end that it names is the one that it has, and another one is told.
    let ends = |hash: &str| {
        TAKE.replace("frames: 12,", &format!("frames: 12, end: (state_hash: \"{hash}\", adapter: \"a\"),"))
    };
    std::fs::write(&take, ends(&hash)).unwrap();
    let (again, _, told) = report(&take, &[]);
    assert!(again == hash && told.is_empty(), "{again} {told}");
    assert_ne!(report(&take, &["--frames", "3"]).0, hash);
    std::fs::write(&take, ends("0123456789abcdef")).unwrap();
    assert!(report(&take, &[]).2.contains("0123456789abcdef"));

    let films = folder.path("film/");
    let output = sinew(&["render", &take, "--from", "6", "--size", "64x48", "--out", &films]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let pictures = |name: &str| image::open(folder.0.join("film").join(name)).unwrap().to_rgba8();
    assert_eq!(std::fs::read_dir(&films).unwrap().count(), 6);
    assert_ne!(pictures("00001.png"), pictures("00006.png"), "the camera goes along its path");
    let glb = folder.path("x.glb");
    let output = sinew(&["export", &take, "--out", &glb]);
    let told = text(&output.stderr);
    assert!(output.status.success() && told.contains("planes") && told.lines().count() == 1, "{told}");
    let document = gltf::Gltf::open(&glb).unwrap();
    assert_eq!(document.animations().count(), 1);
    assert!(document.nodes().any(|node| node.name().is_some_and(|name| name.starts_with("ball"))));

    let last = |name: &str, take_text: &str| {
        let (take, picture) = (folder.path(&format!("{name}.take.ron")), folder.path(&format!("{name}.png")));
        std::fs::write(&take, take_text).unwrap();
        let output = sinew(&["render", &take, "--size", "64x48", "--out", &picture]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::read(&picture).unwrap()
    };
    let ended = "(12, Put(tool: Crate, ray: (origin: (0.5, 3, 0.3), direction: (0, -1, 0)))),\n  ],";
    let both = [last("as", TAKE), last("after", &TAKE.replace("\n  ],", &format!("\n    {ended}")))];
    assert_ne!(both[0], both[1], "what was done after the last frame is in the picture");

    std::fs::write(&take, TAKE.replace("Explode(ray", "Explode(rai")).unwrap();
    let error = refused(&["report", &take]);
    assert!(error.contains("x.take.ron:11:") && error.contains("`rai`") && error.contains("deeds[3]"), "{error}");
    assert!(refused(&["report", &take, "--set", "height=3"]).contains("--set"));
    assert!(refused(&["export", &take, "--out", &folder.path("x.ron")]).contains("is a take"));
    assert!(refused(&["export", "tower", "--out", &glb]).contains("--frames"));
    assert!(refused(&["export", "tower", "--out", &folder.path("y.ron"), "--fps", "9"]).contains("--fps"));
    assert!(refused(&["render", "tower", "--frames", "2", "--from", "2", "--out", &films]).contains("--from"));
}

#[test]
fn report_prints_json_with_its_stable_keys() {
    let output = sinew(&["report", "tower", "--set", "height=2", "--frames", "4", "--json", "-"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("standard output is JSON alone");
    assert_eq!(
        keys(&json),
        "adapter counts dt frames health iterations memory quality state_hash substeps target timing"
    );
    assert_eq!(keys(&json["adapter"]), "backend driver kind name");
    assert_eq!(keys(&json["counts"]), "bodies colors constraints dispatches_per_frame joints particles triangles");
    assert_eq!(keys(&json["timing"]), "frame_ms host_ms passes_ms");
    assert_eq!(keys(&json["timing"]["frame_ms"]), "median p95");
    assert_eq!(
        keys(&json["health"]),
        "contacts_dropped crossings dropped neighbors_dropped non_finite out_of_bounds tears_dropped"
    );
    assert_eq!(
        keys(&json["quality"]),
        "density_error_mean energy_end energy_start joint_gap_end_m joint_gap_end_mean_m joint_gap_max_m \
         momentum_drift penetration_end_radii penetration_max_radii self_intersections speed_end_p99 stretch_max \
         stretch_mean stretch_p99 stretch_rms volume_error_max"
    );
    assert_eq!(json["target"], "tower");
    assert_eq!(json["frames"], 4);
    assert_eq!(json["counts"]["bodies"], 2);
    assert!(json["quality"]["density_error_mean"].is_null(), "what does not apply is null");
}

#[test]
fn comparisons_that_cannot_be_are_refused_in_one_sentence() {
    assert!(refused(&["bench", "ab", "tower"]).contains("--side"));
    assert!(refused(&["bench", "ab", "tower", "--side", ""]).contains("twice"));
    assert!(refused(&["bench", "ab", "towr", "--side", "", "--side", ""]).contains("did you mean `tower`"));
    assert!(refused(&["bench", "ab", "tower", "--side", "heigth=2", "--side", ""]).contains("`height`"));
    assert!(refused(&["bench", "ab", "tower", "--side", "height", "--side", ""]).contains("key=value"));
    assert!(refused(&["bench", "ab", "tower", "--side", "", "--side", "", "--frames", "0"]).contains("--frames"));
    assert!(refused(&["bench", "ab", "tower", "--against", "/no/such/sinew"]).contains("/no/such/sinew"));
    let nowhere = ["bench", "ab", "tower", "--side", "", "--side", "", "--plot", "/no/such/folder/a.svg"];
    assert!(refused(&nowhere).contains("a.svg"));
}

#[test]
fn a_scene_against_itself_is_the_same_to_the_bit() {
    let folder = Scratch::new("ab");
    let plot = folder.path("ab.svg");
    let words = ["bench", "ab", "s0", "--set", "side=12", "--side", "", "--side", "substeps=8", "--side", "substeps=4"];
    let output = command().args(words).args(["--frames", "6", "--start", "2", "--json", "-", "--plot", &plot]).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("standard output is JSON alone");
    assert_eq!(keys(&json), "adapter block copy_bytes_per_second frames shared sides start target");
    assert_eq!((&json["start"], &json["frames"], &json["shared"]), (&2.into(), &6.into(), &"side=12".into()));
    let sides = json["sides"].as_array().unwrap();
    for (side, name) in sides.iter().zip(["a", "b", "c"]) {
        assert_eq!(
            keys(side),
            "bandwidth_share blocks_ms bytes_per_particle constraint_bytes constraints dispatches_per_frame frame_ms \
             health host_ms iterations name particles passes_ms projections_per_second quality ratio settings \
             state_hash substeps"
        );
        assert_eq!(side["name"], name);
        assert_eq!(keys(&side["frame_ms"]), "median min p95");
        assert_eq!(side["ratio"].is_null(), name == "a");
    }
    assert_eq!(sides[0]["state_hash"], sides[1]["state_hash"]);
    assert_ne!(sides[0]["state_hash"], sides[2]["state_hash"]);
    assert!(std::fs::read_to_string(&plot).unwrap().starts_with("<svg"));
}

#[test]
fn another_program_takes_turns_with_this_one() {
    let other = env!("CARGO_BIN_EXE_sinew");
    let words = ["bench", "ab", "tower", "--set", "height=1", "--against", other, "--frames", "6", "--start", "0"];
    let output = command().args(words).args(["--json", "-"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("standard output is JSON alone");
    let [ours, theirs] = &json["sides"].as_array().unwrap()[..] else { panic!("{json}") };
    assert_eq!((&ours["name"], &theirs["name"]), (&"a".into(), &other.into()));
    assert_eq!(ours["state_hash"], theirs["state_hash"]);
    assert!(theirs["ratio"]["median"].as_f64().unwrap() > 0.0);
}

#[test]
fn sizes_have_a_row_each() {
    let output = sinew(&["bench", "scale-grains", "--most", "1000", "--frames", "2"]);
    let told = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(told.contains("bytes/particle") && told.contains("left out: 10000"), "{told}");
}

#[test]
fn report_writes_its_json_to_a_file() {
    let folder = Scratch::new("report");
    let path = folder.path("measures.json");
    let output = sinew(&["report", "tower", "--set", "height=1", "--frames", "2", "--json", &path]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert!(json["state_hash"].is_string());
    writeln!(std::io::stderr(), "{}", text(&output.stdout)).unwrap();
}

#[test]
fn a_lens_draws_another_picture_and_times_are_told() {
    let scratch = Scratch::new("lens");
    let [plain, blurred] = ["plain.png", "blurred.png"].map(|name| scratch.path(name));
    let common = ["render", "tower", "--frames", "1", "--size", "64x40", "--times", "--out"];
    let output = sinew(&[&common[..], &[&plain]].concat());
    assert!(output.status.success() && text(&output.stderr).contains(" ms per picture"), "{output:?}");
    let output = sinew(&[&common[..], &[&blurred, "--aperture", "0.5", "--focus", "1"]].concat());
    assert!(output.status.success(), "{output:?}");
    let [plain, blurred] = [plain, blurred].map(|path| std::fs::read(path).expect("written"));
    assert_ne!(plain, blurred);
}

#[test]
fn shots_are_of_demos_that_are_there() {
    let list = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tools/shots")).expect("tools/shots");
    let demos = text(&sinew(&["demos"]).stdout);
    let (_, list) = list.split_once("SHOTS=\"\\\n").expect("a list");
    let (list, _) = list.split_once("\n\"").expect("its end");
    let shots: Vec<Vec<&str>> = list.lines().map(|line| line.split('|').collect()).collect();
    assert!(shots.len() >= 10, "{} shots", shots.len());
    for shot in shots {
        let [name, target, frames, camera, _, caption] = shot[..] else { panic!("{shot:?}") };
        assert!(demos.lines().any(|line| line.split(' ').next() == Some(target)), "{name}: no demo `{target}`");
        assert!(frames.parse::<u32>().is_ok_and(|frames| frames > 0) && !caption.is_empty(), "{name}");
        assert!(camera.is_empty() || camera.split(',').filter_map(|n| n.parse::<f32>().ok()).count() == 6, "{name}");
    }
}
