//! What can go wrong between this program and the graphics driver, as error messages.

use thiserror::Error;

/// An error of the GPU layer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GpuError {
    /// The machine offers no adapter.
    #[error("no graphics adapter found: {}", INSTALL)]
    NoAdapter,
    /// No adapter has the wanted name or backend.
    #[error("no graphics adapter or backend is called `{wanted}`; there are: {}", .found.join(", "))]
    UnknownAdapter {
        /// The wanted part of a name.
        wanted: String,
        /// Names and backends of the adapters that exist.
        found: Vec<String>,
    },
    /// The adapter or adopted device offers too little.
    #[error(
        "`{adapter}` allows {name} = {have}, but {need} is needed; use another adapter or request it at device creation"
    )]
    Limit {
        /// Adapter name.
        adapter: String,
        /// Name of the limit.
        name: &'static str,
        /// Value offered.
        have: u64,
        /// Value needed.
        need: u64,
    },
    /// The driver refused to open a device or surface.
    #[error("`{what}` could not be opened: {reason}")]
    Open {
        /// The adapter or window.
        what: String,
        /// The driver's words.
        reason: String,
    },
    /// A shader file that does not exist was asked for.
    #[error("there is no shader `{name}`{}", .from.as_ref().map(|f| format!(", imported by {f}")).unwrap_or_default())]
    NoShader {
        /// The missing name.
        name: String,
        /// File and line of the import.
        from: Option<String>,
    },
    /// A shader does not compile.
    #[error("{location}: {reason}")]
    Shader {
        /// `file:line:column` in the original file.
        location: String,
        /// What is wrong.
        reason: String,
    },
    /// A shader and the buffers, textures or overrides it is given do not fit.
    #[error("shader `{shader}`, `{binding}`: {reason}")]
    Binding {
        /// The shader, or the pass that runs it.
        shader: String,
        /// The variable.
        binding: String,
        /// What does not fit.
        reason: String,
    },
    /// A buffer was used in a way it does not allow.
    #[error("buffer `{name}`: {reason}")]
    Buffer {
        /// The buffer.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The driver rejected work.
    #[error("{what}: {reason}")]
    Rejected {
        /// What was being made or done.
        what: String,
        /// The driver's words.
        reason: String,
    },
    /// In a browser only: what was to be read comes once the page has given control back; see [`Attempt`](super::Attempt).
    #[error("a browser delivers GPU results only between two frames: read them in an attempt")]
    Later,
    /// The device is gone: driver reset, unplugged or out of memory.
    #[error("the graphics device was lost: {0}")]
    Lost(String),
}

/// What to install for an adapter to appear.
const INSTALL: &str = if cfg!(target_os = "linux") {
    "install a Vulkan driver, for instance Debian's package mesa-vulkan-drivers (works without a graphics card)"
} else if cfg!(target_arch = "wasm32") {
    "WebGPU is not available here; use a current Chrome, Edge, Firefox or Safari, and a page from https or this machine"
} else {
    "install the driver of the graphics card"
};
