//! The graphics device: one of our own without a window, one that can present to a window, or one adopted from a host.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

#[cfg(not(target_arch = "wasm32"))]
use super::Choice;
#[cfg(target_arch = "wasm32")]
use super::arrivals::Arrivals;
use super::cache::Cache;
use super::{AdapterInfo, GpuError, Limits};

/// Messages kept until somebody reads them.
const MAX_ERRORS: usize = 64;
/// Submissions that can be waited for one by one: more than are under way at once.
const MAX_SENT: usize = 16;

/// Errors that reached no caller, shared with the driver's callbacks.
#[derive(Debug, Default)]
struct Faults {
    messages: Mutex<Vec<String>>,
    lost: AtomicBool,
}

impl Faults {
    fn note(&self, message: String) {
        log::error!("{message}");
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        if messages.len() < MAX_ERRORS {
            messages.push(message);
        }
    }
}

/// What a device was asked for since it was opened that takes time: a running world asks for none of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Buffers and textures made, but for those of pictures.
    pub buffers: u64,
    /// Kernels made.
    pub kernels: u64,
    /// Times that the host waited until all work was done.
    pub waits: u64,
}

/// The counts of an effort.
#[derive(Debug, Default)]
pub(crate) struct Efforts {
    pub(crate) buffers: AtomicU64,
    pub(crate) kernels: AtomicU64,
    waits: AtomicU64,
}

/// A device, its queue and what they run on. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Context {
    /// Makes resources.
    pub device: wgpu::Device,
    /// Takes work.
    pub queue: wgpu::Queue,
    /// None for an adopted device.
    home: Option<(wgpu::Instance, wgpu::Adapter)>,
    info: Arc<AdapterInfo>,
    faults: Arc<Faults>,
    efforts: Arc<Efforts>,
    pub(super) compiled: Arc<Cache>,
    /// The last submissions by [`Context::submit`], the oldest first.
    sent: Arc<Mutex<VecDeque<wgpu::SubmissionIndex>>>,
    /// None but for those of [`Context::shared`].
    #[cfg(not(target_arch = "wasm32"))]
    _hold: Option<Arc<Hold>>,
    #[cfg(target_arch = "wasm32")]
    pub(crate) arrivals: Arc<Arrivals>,
}

/// The device of the process, which is never closed.
#[cfg(not(target_arch = "wasm32"))]
struct Shared {
    context: Context,
    hold: std::sync::Weak<Hold>,
}

/// What all who have the device of the process have in common. The last of them waits for its work: the program may end next, and a
/// driver that then still compiles or computes does so in memory that is being freed.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug)]
struct Hold(wgpu::Device);

#[cfg(not(target_arch = "wasm32"))]
impl Drop for Hold {
    fn drop(&mut self) {
        // Of one that is lost there is nothing to wait for.
        let _ = self.0.poll(wgpu::PollType::wait_indefinitely());
    }
}

impl Context {
    /// Opens the device of a page, which presents to any canvas of it.
    ///
    /// # Errors
    /// The browser has no WebGPU or offers no adapter, limits too low, or it refuses.
    #[cfg(target_arch = "wasm32")]
    pub async fn for_page(limits: Limits) -> Result<Self, GpuError> {
        let instance = wgpu::Instance::new(descriptor(wgpu::Backends::BROWSER_WEBGPU));
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = instance.request_adapter(&options).await.map_err(|_| GpuError::NoAdapter)?;
        Self::open(instance, adapter, limits).await
    }

    /// Opens a device that presents to no window, with all that its adapter offers; `adapter` as in [`Choice`]. Where the environment says
    /// `SINEW_LIMITS=webgpu` it asks for no more than browsers grant: so tests are run with that.
    ///
    /// # Errors
    /// As for [`Context::headless_as`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn headless(adapter: Option<&str>) -> Result<Self, GpuError> {
        Self::headless_as(&Choice { adapter: adapter.map(str::to_owned), limits: Limits::asked() })
    }

    /// The device of this process, for programs that make many worlds one after the other: opened at the first call as
    /// [`Context::headless`] opens one, the same for all later calls, with the kernels that earlier worlds compiled. One that was lost
    /// is replaced. When nobody has it any more, the last one waits until its work is done.
    ///
    /// # Errors
    /// As for [`Context::headless_as`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn shared() -> Result<Self, GpuError> {
        static SHARED: Mutex<Option<Shared>> = Mutex::new(None);
        Self::shared_in(&SHARED)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn shared_in(shared: &Mutex<Option<Shared>>) -> Result<Self, GpuError> {
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.as_ref().is_none_or(|shared| shared.context.is_lost()) {
            *shared = Some(Shared { context: Self::headless(None)?, hold: std::sync::Weak::new() });
        }
        let Shared { context, hold } = shared.as_mut().expect("there since above");
        let held = hold.upgrade().unwrap_or_else(|| Arc::new(Hold(context.device.clone())));
        *hold = Arc::downgrade(&held);
        Ok(Self { _hold: Some(held), ..context.clone() })
    }

    /// Opens a device that presents to no window.
    ///
    /// # Errors
    /// No adapter, none of that name or backend, limits too low, or the driver refuses.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn headless_as(choice: &Choice) -> Result<Self, GpuError> {
        let mut found = Vec::new();
        for backends in [wgpu::Backends::PRIMARY, wgpu::Backends::SECONDARY] {
            let instance = instance(backends);
            let adapters = pollster::block_on(instance.enumerate_adapters(backends));
            if let Some(adapter) = choose(adapters, choice, &mut found) {
                return pollster::block_on(Self::open(instance, adapter, choice.limits));
            }
        }
        Err(missing(choice, found))
    }

    /// What there is to choose from, in the order in which [`Context::headless_as`] looks.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn adapters() -> Vec<AdapterInfo> {
        let infos = |backends| {
            let adapters = pollster::block_on(instance(backends).enumerate_adapters(backends));
            adapters.iter().map(|adapter| AdapterInfo::from(&adapter.get_info())).collect::<Vec<_>>()
        };
        [wgpu::Backends::PRIMARY, wgpu::Backends::SECONDARY].into_iter().flat_map(infos).collect()
    }

    /// Opens a device that can present to `window`, with the window's surface.
    ///
    /// # Errors
    /// As for [`Context::headless_as`], or the window offers no surface.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn for_window<W>(window: Arc<W>, choice: &Choice) -> Result<(Self, wgpu::Surface<'static>), GpuError>
    where
        W: wgpu::rwh::HasWindowHandle + wgpu::rwh::HasDisplayHandle + fmt::Debug + Send + Sync + 'static,
    {
        let mut found = Vec::new();
        let mut refusal = None;
        for backends in [wgpu::Backends::PRIMARY, wgpu::Backends::SECONDARY] {
            let instance = wgpu::Instance::new(descriptor(backends).with_display_handle(Box::new(Arc::clone(&window))));
            let surface = match instance.create_surface(Arc::clone(&window)) {
                Ok(surface) => surface,
                Err(error) => {
                    refusal = Some(GpuError::Open { what: "window".into(), reason: error.to_string() });
                    continue;
                }
            };
            let mut adapters = pollster::block_on(instance.enumerate_adapters(backends));
            adapters.retain(|adapter| adapter.is_surface_supported(&surface));
            if let Some(adapter) = choose(adapters, choice, &mut found) {
                return Ok((pollster::block_on(Self::open(instance, adapter, choice.limits))?, surface));
            }
        }
        Err(refusal.filter(|_| found.is_empty()).unwrap_or_else(|| missing(choice, found)))
    }

    /// Takes a device that a host program made. Its error handlers stay the host's, so [`Context::take_errors`] reports nothing here, and
    /// [`Context::is_lost`] what the host has told by [`Context::note_lost`].
    ///
    /// # Errors
    /// [`GpuError::Limit`] naming the first limit below [`Context::required_limits`].
    pub fn adopt(device: wgpu::Device, queue: wgpu::Queue, info: wgpu::AdapterInfo) -> Result<Self, GpuError> {
        check_limits(&device.limits(), &info.name)?;
        let info = Arc::new(AdapterInfo::from(&info));
        Ok(Self {
            device,
            queue,
            home: None,
            info,
            faults: Arc::default(),
            efforts: Arc::default(),
            compiled: Arc::default(),
            sent: Arc::default(),
            #[cfg(not(target_arch = "wasm32"))]
            _hold: None,
            #[cfg(target_arch = "wasm32")]
            arrivals: Arc::default(),
        })
    }

    /// Another surface for `window`, to replace one that was lost.
    ///
    /// # Errors
    /// The window offers no surface, or the device was adopted: then surfaces are the host's.
    pub fn surface<W>(&self, window: Arc<W>) -> Result<wgpu::Surface<'static>, GpuError>
    where
        W: wgpu::rwh::HasWindowHandle + wgpu::rwh::HasDisplayHandle + fmt::Debug + Send + Sync + 'static,
    {
        let refused = |reason: String| GpuError::Open { what: "window".into(), reason };
        let (instance, _) = self.home.as_ref().ok_or_else(|| refused("the device was adopted".into()))?;
        instance.create_surface(window).map_err(|error| refused(error.to_string()))
    }

    /// A surface for a canvas of the page.
    ///
    /// # Errors
    /// As [`Context::surface`].
    #[cfg(target_arch = "wasm32")]
    pub fn canvas(&self, canvas: web_sys::HtmlCanvasElement) -> Result<wgpu::Surface<'static>, GpuError> {
        let refused = |reason: String| GpuError::Open { what: "canvas".into(), reason };
        let (instance, _) = self.home.as_ref().ok_or_else(|| refused("the device was adopted".into()))?;
        instance.create_surface(wgpu::SurfaceTarget::Canvas(canvas)).map_err(|error| refused(error.to_string()))
    }

    /// The least that a device must allow: the WebGPU defaults, less what is never used.
    pub fn required_limits() -> wgpu::Limits {
        wgpu::Limits {
            max_texture_dimension_1d: 2048,
            max_texture_dimension_2d: 4096,
            max_texture_dimension_3d: 256,
            max_texture_array_layers: 16,
            max_storage_textures_per_shader_stage: 1,
            max_color_attachment_bytes_per_sample: 16,
            max_color_attachments: 4,
            max_inter_stage_shader_variables: 15,
            ..wgpu::Limits::default()
        }
    }

    /// Features worth having out of `available`: only timestamps; none is required.
    pub fn wanted_features(available: wgpu::Features) -> wgpu::Features {
        available & wgpu::Features::TIMESTAMP_QUERY
    }

    /// What the device runs on.
    pub fn info(&self) -> &AdapterInfo {
        &self.info
    }

    /// The adapter, for questions about surfaces and formats; none for an adopted device.
    pub fn adapter(&self) -> Option<&wgpu::Adapter> {
        self.home.as_ref().map(|(_, adapter)| adapter)
    }

    /// Whether passes can be timed.
    pub fn has_timestamps(&self) -> bool {
        self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// Errors that reached no caller since the last call, oldest first; at most 64 are kept.
    pub fn take_errors(&self) -> Vec<String> {
        std::mem::take(&mut *self.faults.messages.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether the device is gone; nothing drawn or computed after that is real.
    pub fn is_lost(&self) -> bool {
        self.faults.lost.load(Ordering::Relaxed)
    }

    /// Tells that the device is gone, from the host's own callback: of a device that was adopted nobody else hears of it. Worlds on it stand
    /// still from then on, and what waits for it fails.
    pub fn note_lost(&self) {
        self.faults.lost.store(true, Ordering::Relaxed);
    }

    /// What was asked of the device since it was opened, by all who have it.
    pub fn effort(&self) -> Effort {
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        let Efforts { buffers, kernels, waits } = &*self.efforts;
        Effort { buffers: count(buffers), kernels: count(kernels), waits: count(waits) }
    }

    /// Notes that something of it was made.
    pub(crate) fn spend(&self, on: impl Fn(&Efforts) -> &AtomicU64) {
        on(&self.efforts).fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the host can wait for the GPU; a page in a browser cannot, see [`Attempt`](super::Attempt).
    pub const CAN_WAIT: bool = cfg!(not(target_arch = "wasm32"));

    /// Records work and lets the GPU run it, under this name in what the device tells of it.
    pub(crate) fn run(&self, label: &str, record: impl FnOnce(&mut wgpu::CommandEncoder)) {
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some(label) });
        record(&mut encoder);
        self.submit(encoder);
    }

    /// The same where recording may fail: then nothing runs.
    pub(crate) fn try_run<E>(
        &self,
        label: &str,
        record: impl FnOnce(&mut wgpu::CommandEncoder) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some(label) });
        record(&mut encoder)?;
        self.submit(encoder);
        Ok(())
    }

    /// Lets the GPU run what was recorded.
    pub(crate) fn submit(&self, encoder: wgpu::CommandEncoder) {
        self.note_sent(self.queue.submit([encoder.finish()]));
    }

    /// What a host has submitted so far can be waited for, without what it submits later.
    pub(crate) fn note_hosts(&self) {
        self.note_sent(self.queue.submit([]));
    }

    fn note_sent(&self, sent: wgpu::SubmissionIndex) {
        let mut all = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() == MAX_SENT {
            all.pop_front();
        }
        all.push_back(sent);
    }

    /// Waits until something is there that comes with a submission, and for no later one, if [`Context::submit`] submitted it or [`Context::note_hosts`] knows of it.
    pub(crate) fn wait_until(&self, is_there: impl Fn() -> bool) {
        let _ = self.device.poll(wgpu::PollType::Poll);
        let sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for submission in sent {
            if is_there() {
                return;
            }
            let _ = self.device.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None });
        }
        if !is_there() {
            let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
        }
    }

    /// Waits until everything submitted so far has run.
    ///
    /// # Errors
    /// [`GpuError::Lost`]; in a browser [`GpuError::Later`].
    pub fn wait(&self) -> Result<(), GpuError> {
        if !Self::CAN_WAIT {
            return Err(GpuError::Later);
        }
        self.efforts.waits.fetch_add(1, Ordering::Relaxed);
        match self.device.poll(wgpu::PollType::wait_indefinitely()) {
            Ok(_) if !self.is_lost() => Ok(()),
            Ok(_) => Err(GpuError::Lost("while waiting for results".into())),
            Err(error) => Err(GpuError::Lost(error.to_string())),
        }
    }

    /// Runs `make` and turns what the driver's validation says into an error instead of a message. In a browser, which says it
    /// later, it stays a message.
    ///
    /// # Errors
    /// [`GpuError::Rejected`] with `what`.
    pub fn checked<T>(&self, what: &str, make: impl FnOnce() -> T) -> Result<T, GpuError> {
        #[cfg(target_arch = "wasm32")]
        {
            let _ = what;
            Ok(make())
        }
        #[cfg(not(target_arch = "wasm32"))]
        self.checked_at_once(what, make)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn checked_at_once<T>(&self, what: &str, make: impl FnOnce() -> T) -> Result<T, GpuError> {
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let made = make();
        let errors = [pollster::block_on(memory.pop()), pollster::block_on(validation.pop())];
        match errors.into_iter().flatten().next() {
            Some(error) => Err(GpuError::Rejected { what: what.into(), reason: error.to_string() }),
            None => Ok(made),
        }
    }

    async fn open(instance: wgpu::Instance, adapter: wgpu::Adapter, limits: Limits) -> Result<Self, GpuError> {
        let (info, offered) = (adapter.get_info(), adapter.limits());
        check_limits(&offered, &info.name)?;
        let required = match limits {
            Limits::WebGpu => wgpu::Limits::default(),
            Limits::Adapter => wgpu::Limits {
                max_buffer_size: offered.max_buffer_size,
                max_storage_buffer_binding_size: offered.max_storage_buffer_binding_size,
                max_texture_dimension_2d: offered.max_texture_dimension_2d,
                ..Self::required_limits()
            },
        };
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("sinew"),
            required_features: Self::wanted_features(adapter.features()),
            required_limits: required,
            // Blocks of 128 MB are faster to get on a card. What is left in them by other scenes costs a processor its memory.
            memory_hints: if info.device_type == wgpu::DeviceType::Cpu {
                wgpu::MemoryHints::MemoryUsage
            } else {
                wgpu::MemoryHints::Performance
            },
            ..Default::default()
        };
        let (device, queue) = adapter
            .request_device(&descriptor)
            .await
            .map_err(|error| GpuError::Open { what: info.name.clone(), reason: error.to_string() })?;
        let faults = Arc::new(Faults::default());
        let heard = Arc::clone(&faults);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| heard.note(error.to_string())));
        let heard = Arc::clone(&faults);
        device.set_device_lost_callback(move |reason, message| {
            heard.lost.store(true, Ordering::Relaxed);
            // Who destroys it knows.
            if reason != wgpu::DeviceLostReason::Destroyed {
                heard.note(format!("the graphics device was lost: {message}"));
            }
        });
        let home = Some((instance, adapter));
        Ok(Self {
            device,
            queue,
            home,
            info: Arc::new(AdapterInfo::from(&info)),
            faults,
            efforts: Arc::default(),
            compiled: Arc::default(),
            sent: Arc::default(),
            #[cfg(not(target_arch = "wasm32"))]
            _hold: None,
            #[cfg(target_arch = "wasm32")]
            arrivals: Arc::default(),
        })
    }
}

/// Instance settings: the driver checks nothing that we clamp ourselves.
fn descriptor(backends: wgpu::Backends) -> wgpu::InstanceDescriptor {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = backends;
    descriptor.flags.remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
    descriptor
}

/// An instance of these backends. One of each lasts as long as the program: with the last of them the loader unloads the driver, and some
/// drivers leave threads behind that call into it when they end. On OpenGL each has its own all the same, since all adapters of an instance
/// share a context there, which one thread can have at a time.
#[cfg(not(target_arch = "wasm32"))]
fn instance(backends: wgpu::Backends) -> wgpu::Instance {
    static PRIMARY: OnceLock<wgpu::Instance> = OnceLock::new();
    static SECONDARY: OnceLock<wgpu::Instance> = OnceLock::new();
    let make = || wgpu::Instance::new(descriptor(backends));
    if backends == wgpu::Backends::PRIMARY {
        return PRIMARY.get_or_init(make).clone();
    }
    SECONDARY.get_or_init(make);
    make()
}

#[cfg(not(target_arch = "wasm32"))]
/// The best adapter whose name or backend fits; notes all in `found`.
fn choose(adapters: Vec<wgpu::Adapter>, choice: &Choice, found: &mut Vec<String>) -> Option<wgpu::Adapter> {
    let wanted = choice.adapter.as_deref().map(str::to_lowercase);
    let mut best: Option<(u32, wgpu::Adapter)> = None;
    for adapter in adapters {
        let info = adapter.get_info();
        let backend = info.backend.to_str();
        found.push(format!("{} ({backend})", info.name));
        if wanted.as_ref().is_some_and(|w| w != backend && !info.name.to_lowercase().contains(w)) {
            continue;
        }
        let rank = match info.device_type {
            wgpu::DeviceType::DiscreteGpu => 0,
            wgpu::DeviceType::IntegratedGpu => 1,
            wgpu::DeviceType::VirtualGpu => 2,
            wgpu::DeviceType::Other => 3,
            wgpu::DeviceType::Cpu => 4,
        };
        if best.as_ref().is_none_or(|(r, _)| rank < *r) {
            best = Some((rank, adapter));
        }
    }
    best.map(|(_, adapter)| adapter)
}

#[cfg(not(target_arch = "wasm32"))]
fn missing(choice: &Choice, mut found: Vec<String>) -> GpuError {
    found.dedup();
    match &choice.adapter {
        Some(wanted) if !found.is_empty() => GpuError::UnknownAdapter { wanted: wanted.clone(), found },
        _ => GpuError::NoAdapter,
    }
}

fn check_limits(offered: &wgpu::Limits, adapter: &str) -> Result<(), GpuError> {
    let mut first = None;
    Context::required_limits().check_limits_with_fail_fn(offered, false, |name, need, have| {
        first.get_or_insert(GpuError::Limit { adapter: adapter.into(), name, have, need });
    });
    first.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_adapter_lists_those_that_exist() {
        let Err(GpuError::UnknownAdapter { wanted, found }) = Context::headless(Some("no such card")) else {
            panic!("an adapter of an impossible name was found");
        };
        assert_eq!(wanted, "no such card");
        assert!(!found.is_empty());
    }

    #[test]
    fn a_backend_chooses_among_adapters() {
        let adapters = Context::adapters();
        let opened = Context::headless(None).expect("adapter");
        assert!(adapters.contains(opened.info()), "{:?} is one of {adapters:?}", opened.info());
        for backend in adapters.iter().map(|a| &a.backend) {
            match Context::headless(Some(&backend.to_uppercase())) {
                Ok(context) => assert_eq!(&context.info().backend, backend),
                Err(error) => assert!(matches!(error, GpuError::Limit { .. }), "{error}"),
            }
        }
    }

    #[test]
    fn threads_look_for_adapters_at_once() {
        let first = Context::adapters();
        std::thread::scope(|threads| {
            let looking = || (0..10).for_each(|_| assert_eq!(Context::adapters(), first));
            (0..4).for_each(|_| _ = threads.spawn(looking));
        });
    }

    #[test]
    fn a_device_can_have_no_more_than_browsers_grant() {
        let choice = Choice { limits: Limits::WebGpu, ..Choice::default() };
        let context = Context::headless_as(&choice).expect("adapter");
        let (limits, web) = (context.device.limits(), wgpu::Limits::default());
        assert_eq!(limits.max_storage_buffer_binding_size, web.max_storage_buffer_binding_size);
        assert_eq!(limits.max_storage_buffers_per_shader_stage, web.max_storage_buffers_per_shader_stage);
        assert_eq!(limits.max_compute_invocations_per_workgroup, web.max_compute_invocations_per_workgroup);
    }

    #[test]
    fn the_last_who_has_the_device_of_a_process_waits_for_its_work() {
        let shared = Mutex::new(None);
        let mine = || Context::shared_in(&shared).expect("adapter");
        let (first, second) = (mine(), mine());
        let device = first.device.clone();
        assert_eq!((&device, &first.queue), (&second.device, &second.queue), "all have one device");
        let (done, heard) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 1 << 20,
            usage: wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let clear = |context: &Context, done: &Arc<AtomicBool>| {
            context.run("clear", |encoder| encoder.clear_buffer(&buffer, 0, None));
            let done = Arc::clone(done);
            context.queue.on_submitted_work_done(move || done.store(true, Ordering::Relaxed));
        };
        clear(&first, &done);
        drop(first);
        assert!(!done.load(Ordering::Relaxed), "who is not the last waits for nothing");
        let third = second.clone();
        drop(second);
        assert!(!done.load(Ordering::Relaxed));
        drop(third);
        assert!(done.load(Ordering::Relaxed), "the last waited, copies counted");
        let again = mine();
        assert_eq!(again.device, device, "the device stays open");
        clear(&again, &heard);
        drop(again);
        assert!(heard.load(Ordering::Relaxed), "each time");
    }

    #[test]
    fn no_adapter_says_what_to_install() {
        let message = missing(&Choice::default(), Vec::new()).to_string();
        assert!(message.contains(if cfg!(target_os = "linux") { "mesa-vulkan-drivers" } else { "driver" }));
        let named = Choice { adapter: Some("x".into()), ..Choice::default() };
        assert_eq!(missing(&named, Vec::new()), GpuError::NoAdapter);
    }

    #[test]
    fn adopted_device_below_the_limits_is_refused_by_name() {
        let ours = Context::headless(None).expect("adapter");
        let adapter = ours.adapter().expect("own adapter").clone();
        let low = wgpu::Limits { max_storage_buffers_per_shader_stage: 4, ..Context::required_limits() };
        let descriptor = wgpu::DeviceDescriptor { required_limits: low, ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).expect("device");
        let error = Context::adopt(device, queue, adapter.get_info()).expect_err("too few storage buffers");
        let expected = "max_storage_buffers_per_shader_stage";
        assert!(matches!(error, GpuError::Limit { name, have: 4, need: 8, .. } if name == expected), "{error}");
        Context::adopt(ours.device.clone(), ours.queue.clone(), adapter.get_info()).expect("own device fits");
    }

    #[test]
    fn errors_without_a_caller_are_kept_not_thrown() {
        let context = Context::headless(None).expect("adapter");
        let _ = context.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 16,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::MAP_WRITE,
            mapped_at_creation: false,
        });
        assert_eq!(context.take_errors().len(), 1);
        assert!(context.take_errors().is_empty());
        assert!(!context.is_lost());
    }
}
