//! The window on a page of a browser: what a page calls to open it and to give it files, and worlds that a page steps by itself.

pub(crate) mod asked;
mod told;
mod world;

use std::path::Path;

use anyhow::anyhow;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlCanvasElement;

pub use self::world::World;
use super::event_loop::{Shown, event_loop, show_on_page};
use super::launch::{Launch, Level};
use super::live::Live;
use super::settings::Settings;
use super::window::Display;
use crate::animation::LimpAt;
use crate::files;
use crate::gpu::{Choice, Context, Limits};

/// Opened when no target is given.
const DEFAULT_TARGET: &str = "dancer";

/// Sends messages to the console, and panics to the page.
#[wasm_bindgen(start)]
pub fn begin() {
    told::begin();
}

/// Opens the window on a canvas of the page, as parameters of its link say: `demo` or `file` is what to open, `limp-at`, `quality`
/// and `panel=0` are as the command has them, and all others are settings of the world and the demo.
///
/// # Errors
/// The browser has no WebGPU, or a parameter is wrong. What goes wrong later, the page hears as the event `sinew-failed`.
#[wasm_bindgen(js_name = openWindow)]
pub async fn open_window(canvas: HtmlCanvasElement, keys: Vec<String>, values: Vec<String>) -> Result<(), JsError> {
    let (launch, left) = launch(keys.into_iter().zip(values)).map_err(refused)?;
    let ctx = Context::for_page(launch.adapter.limits).await?;
    let open = move |active: &winit::event_loop::ActiveEventLoop| {
        let display = Display::on_canvas(active, &ctx, canvas)?;
        let live = Live::new(display, ctx, &launch, &left)?;
        live.request_redraw();
        Ok(live)
    };
    show_on_page(event_loop().map_err(refused)?, open, |error| told::failed(&format!("{error:#}")));
    Ok(())
}

/// Gives the page a file, under its name without folders: a model, its pictures, a scene or a take.
#[wasm_bindgen(js_name = giveFile)]
pub fn give_file(name: &str, bytes: Vec<u8>) {
    files::put(Path::new(name), bytes);
}

/// Opens a demo, or a file that the page was given, in the window.
#[wasm_bindgen(js_name = openTarget)]
pub fn open_target(name: String) {
    asked::ask(asked::Asked::Open(name));
}

/// Puts a model that the page was given into the window's world, where the pointer is.
#[wasm_bindgen(js_name = putModel)]
pub fn put_model(name: String) {
    asked::ask(asked::Asked::Put(name));
}

/// Hands over a picture of the window as a download.
#[wasm_bindgen(js_name = takePicture)]
pub fn take_picture() {
    asked::ask(asked::Asked::Picture);
}

/// Frames drawn since the window was opened.
#[wasm_bindgen(js_name = framesDrawn)]
pub fn frames_drawn() -> u32 {
    asked::seen().drawn
}

/// Frames of the window's scene that were simulated.
#[wasm_bindgen(js_name = framesSimulated)]
pub fn frames_simulated() -> u32 {
    asked::seen().simulated
}

/// What is open in the window: a demo or a file.
#[wasm_bindgen(js_name = windowTarget)]
pub fn window_target() -> String {
    asked::seen().target
}

/// When the window's first frame was drawn, since the page began to load [ms]; 0 before.
#[wasm_bindgen(js_name = firstFrame)]
pub fn first_frame() -> f64 {
    asked::seen().first
}

/// The file that was handed to the player last.
#[wasm_bindgen(js_name = lastDownload)]
pub fn last_download() -> Option<Vec<u8>> {
    files::last_written()
}

/// What the parameters of a link ask for.
fn launch(pairs: impl Iterator<Item = (String, String)>) -> anyhow::Result<(Launch, Settings)> {
    let adapter = Choice { adapter: None, limits: Limits::Adapter };
    let target = DEFAULT_TARGET.to_owned();
    let mut launch = Launch { target, sets: Vec::new(), limp_at: Vec::new(), adapter, level: None };
    let mut left = Settings::default();
    for (key, value) in pairs {
        match key.as_str() {
            "demo" | "file" => launch.target = value,
            "limp-at" => launch.limp_at.push(value.parse::<LimpAt>().map_err(|why| anyhow!("limp-at={value}: {why}"))?),
            "quality" => {
                left.level = match value.as_str() {
                    "auto" => Level::Auto,
                    "low" => Level::Low,
                    "high" => Level::High,
                    _ => return Err(anyhow!("quality={value}: it is auto, low or high")),
                }
            }
            "panel" => left.panel = value != "0",
            _ => launch.sets.push((key, value)),
        }
    }
    Ok((launch, left))
}

/// An error as a page gets it.
fn refused(error: impl Into<anyhow::Error>) -> JsError {
    JsError::new(&format!("{:#}", error.into()))
}
