//! Compute kernels: one WGSL file, entry `main`, bound to buffers by the names of its variables.

use super::reflect::{Access, Binding, Reflection, reflect};
use super::resources::{Given, Group, Layouts, Resource, given_for};
use super::shader::{self, Composed};
use super::{Buffers, Context, GpuError};

/// Groups that one dimension of a dispatch may have.
const MAX_GROUPS: u32 = 65_535;

/// The uniform that is bound at a different offset in every dispatch.
const BATCH: &str = "batch";

/// A compiled kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    name: String,
    pipeline: wgpu::ComputePipeline,
    layouts: Layouts,
    group_size: u32,
}

impl Kernel {
    /// Compiles `shaders/<name>.wgsl` with these values of its `override` constants; at once if the context has had the same before.
    ///
    /// # Errors
    /// No such shader, it does not compile, an unknown override, more than 8 storage buffers.
    pub fn new(context: &Context, name: &'static str, overrides: &[(&str, f64)]) -> Result<Self, GpuError> {
        Self::from_composed(context, &shader::compose(name)?, overrides)
    }

    /// As [`Kernel::new`], from text that may import built-in files.
    ///
    /// # Errors
    /// As [`Kernel::new`].
    pub fn from_source(
        context: &Context,
        name: &str,
        source: &str,
        overrides: &[(&str, f64)],
    ) -> Result<Self, GpuError> {
        Self::from_composed(context, &shader::compose_source(name, source)?, overrides)
    }

    fn from_composed(context: &Context, composed: &Composed, overrides: &[(&str, f64)]) -> Result<Self, GpuError> {
        context.compiled.get(composed, &overrides, || Self::compile(context, composed, overrides))
    }

    fn compile(context: &Context, composed: &Composed, overrides: &[(&str, f64)]) -> Result<Self, GpuError> {
        let Reflection { bindings, group_size, overrides: declared } =
            reflect(&composed.name, &composed.compile()?, overrides)?;
        shader::check_overrides(&composed.name, &declared, overrides)?;
        let (pipeline, layouts) = context.checked(&format!("kernel `{}`", composed.name), || {
            let layouts = Layouts::new(&context.device, bindings, wgpu::ShaderStages::COMPUTE, Some(BATCH));
            let layout = layouts.pipeline(&context.device, &composed.name);
            let module = composed.module(&context.device);
            let pipeline = context.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(&composed.name),
                layout: Some(&layout),
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions { constants: overrides, ..Default::default() },
                cache: None,
            });
            (pipeline, layouts)
        })?;
        context.spend(|efforts| &efforts.kernels);
        Ok(Self { name: composed.name.clone(), pipeline, layouts, group_size })
    }

    /// Name of the shader file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Workgroups, as a dispatch counts them, for at least `threads` threads; zero for 0.
    pub fn groups(&self, threads: u32) -> [u32; 3] {
        let (x, y) = fold(threads.div_ceil(self.group_size));
        if x > 0 { [x, y, 1] } else { [0; 3] }
    }

    /// Finds a buffer for every variable the kernel uses.
    ///
    /// # Errors
    /// [`GpuError::Binding`] naming kernel and variable: no buffer of its name, another row size, or too few rows.
    pub fn bind(&self, context: &Context, buffers: &Buffers) -> Result<BoundKernel, GpuError> {
        self.bind_as(context, buffers, &self.name, &[])
    }

    /// As [`Kernel::bind`], under another name and with other buffers: each pair is a variable and the buffer it stands
    /// for.
    ///
    /// # Errors
    /// As [`Kernel::bind`], and for a variable that the kernel does not have.
    pub fn bind_as(
        &self,
        context: &Context,
        buffers: &Buffers,
        name: &str,
        renamed: &[(&str, &str)],
    ) -> Result<BoundKernel, GpuError> {
        if let Some((binding, _)) = renamed.iter().find(|(variable, _)| self.layouts.variable(variable).is_none()) {
            let reason = "the kernel has no such variable".into();
            return Err(GpuError::Binding { shader: name.into(), binding: (*binding).into(), reason });
        }
        let named = |variable: &str| {
            let stands_for = renamed.iter().find(|(known, _)| *known == variable);
            stands_for.map_or(variable, |(_, buffer)| *buffer).to_owned()
        };
        let mut bound = self.bound(context, name, |binding| row_of(buffers, &named(&binding.name), binding))?;
        bound.names = self.layouts.variables().map(named).collect();
        Ok(bound)
    }

    /// As [`Kernel::bind`], to what is in no table: the variables that the kernel uses are among the names given.
    ///
    /// # Errors
    /// [`GpuError::Binding`] naming kernel and variable: nothing of its name is given, or something that it cannot be.
    pub fn bind_to(&self, context: &Context, given: &Given<'_>) -> Result<BoundKernel, GpuError> {
        self.bound(context, &self.name, |binding| given_for(given, binding))
    }

    fn bound<'a>(
        &self,
        context: &Context,
        name: &str,
        find: impl Fn(&Binding) -> Result<Resource<'a>, String>,
    ) -> Result<BoundKernel, GpuError> {
        let groups = context.checked(&format!("kernel `{name}`"), || {
            let group = |index| self.layouts.group(&context.device, name, index, &find);
            self.layouts.numbers().map(group).collect::<Result<Vec<_>, _>>()
        })??;
        let batch_group = self.layouts.variable(BATCH).map(|b| b.group);
        let (name, pipeline) = (name.to_owned(), self.pipeline.clone());
        let names = Vec::new();
        Ok(BoundKernel { name, pipeline, groups, names, batch_group, group_size: self.group_size })
    }
}

/// The row of a table that a variable is given.
fn row_of<'a>(buffers: &'a Buffers, name: &str, binding: &Binding) -> Result<Resource<'a>, String> {
    if matches!(binding.access, Access::Texture(..) | Access::WriteTexture) {
        return buffers.texture(name).map(Resource::Texture).ok_or_else(|| "there is no texture of this name".into());
    }
    let row = buffers.row(name).map_err(|_| "there is no buffer of this name")?;
    if row.stride != binding.stride as usize {
        return Err(format!("a row has {} bytes in WGSL and {} in Rust", binding.stride, row.stride));
    }
    Ok(Resource::Buffer(&row.buffer))
}

/// A kernel with its buffers, ready to dispatch. Holds the buffers it was bound to.
#[derive(Clone, Debug)]
pub struct BoundKernel {
    name: String,
    pipeline: wgpu::ComputePipeline,
    groups: Vec<Group>,
    /// Rows of a table that it was bound to.
    names: Vec<String>,
    batch_group: Option<u32>,
    group_size: u32,
}

impl BoundKernel {
    /// Runs the kernel on at least `threads` threads (whole groups, so it must ignore the surplus); none for 0.
    /// `batch_offset` [bytes] selects the row of `batch`, a multiple of [`BATCH_PITCH`](super::BATCH_PITCH); kernels
    /// without `batch` ignore it.
    pub fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, threads: u32, batch_offset: u32) {
        let (x, y) = fold(threads.div_ceil(self.group_size));
        if x > 0 {
            self.set(pass, batch_offset);
            pass.dispatch_workgroups(x, y, 1);
        }
    }

    /// Runs the kernel on at least `threads` x `rows` threads, whose `global_invocation_id` has the row as y: at most 65 535
    /// rows, and as many groups in a row.
    pub fn dispatch_rows(&self, pass: &mut wgpu::ComputePass<'_>, threads: u32, rows: u32) {
        if threads > 0 && rows > 0 {
            self.set(pass, 0);
            pass.dispatch_workgroups(threads.div_ceil(self.group_size), rows, 1);
        }
    }

    /// Runs as many groups as the three numbers at `args_offset` [bytes] of `args` say.
    pub fn dispatch_indirect(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        args: &wgpu::Buffer,
        args_offset: u64,
        batch_offset: u32,
    ) {
        self.set(pass, batch_offset);
        pass.dispatch_workgroups_indirect(args, args_offset);
    }

    /// Whether one of its variables is given the buffer or texture of this name of a table.
    pub(crate) fn is_bound_to(&self, name: &str) -> bool {
        self.names.iter().any(|bound| bound == name)
    }

    /// Name of the shader file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Threads of one group.
    pub fn group_size(&self) -> u32 {
        self.group_size
    }

    fn set(&self, pass: &mut wgpu::ComputePass<'_>, batch_offset: u32) {
        pass.set_pipeline(&self.pipeline);
        for Group { index, group } in &self.groups {
            let offset = [batch_offset];
            let offsets: &[u32] = if self.batch_group == Some(*index) { &offset } else { &[] };
            pass.set_bind_group(*index, group, offsets);
        }
    }
}

/// Splits groups into equal rows no longer than a dispatch allows; a few more may result.
fn fold(groups: u32) -> (u32, u32) {
    let rows = groups.div_ceil(MAX_GROUPS).max(1);
    (groups.div_ceil(rows), rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: &str = "
        #import \"common/thread\"
        struct Batch { count: u32, add: u32 }
        @group(0) @binding(1) var<uniform> batch: Batch;
        @group(1) @binding(0) var<storage, read> source: array<u32>;
        @group(1) @binding(1) var<storage, read_write> result: array<u32>;
        override FACTOR: u32 = 1u;
        @compute @workgroup_size(WORKGROUP)
        fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
            let i = global_index(id, groups);
            if i >= batch.count { return; }
            result[i] += source[i] * FACTOR + batch.add;
        }";

    fn run(kernel: &BoundKernel, context: &Context, dispatches: &[(u32, u32)]) {
        context.run("dispatches", |encoder| {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            for (threads, batch) in dispatches {
                kernel.dispatch(&mut pass, *threads, batch * super::super::BATCH_PITCH);
            }
        });
        context.wait().unwrap();
    }

    const ASTRAY: &str = "
        #import \"common/thread\"
        @group(1) @binding(0) var<storage, read> source: array<u32>;
        @group(1) @binding(1) var<storage, read_write> result: array<u32>;
        @compute @workgroup_size(WORKGROUP)
        fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
            let i = global_index(id, groups);
            var local = array<u32, 4>(1u, 2u, 3u, 4u);
            let far = source[0] + i * source[1];
            local[far] = 5u;
            let seen = local[far + 1u] + source[far];
            if i < 64u { result[i] = seen; }
            result[i + far] = 9u;
        }";

    #[test]
    fn what_goes_astray_stays_within_its_arrays() {
        let context = Context::shared().expect("adapter");
        let kernel = Kernel::from_source(&context, "test/astray", ASTRAY, &[]).unwrap();
        for source in [[64, 1], [1 << 20, 1 << 12], [1 << 28, 1 << 20], [u32::MAX - 70, 1]] {
            let mut buffers = Buffers::new(&context);
            let guard = vec![7_u32; 1 << 16];
            buffers.create_with("before", &guard).unwrap();
            buffers.create_with("source", &source).unwrap();
            buffers.create::<u32>("result", 64, wgpu::BufferUsages::empty()).unwrap();
            buffers.create_with("after", &guard).unwrap();
            run(&kernel.bind(&context, &buffers).unwrap(), &context, &[(64, 0)]);
            assert_eq!(buffers.read::<u32>("before").unwrap(), guard);
            assert_eq!(buffers.read::<u32>("after").unwrap(), guard);
            assert_eq!(buffers.read::<u32>("source").unwrap(), source);
            // What is read comes out of the arrays, or is 0.
            let own: Vec<u32> = [0, 1, 2, 3, 4, 5].iter().flat_map(|a| [*a, a + source[0], a + source[1]]).collect();
            let result: Vec<u32> = buffers.read("result").unwrap();
            assert!(result.iter().all(|seen| *seen == 9 || own.contains(seen)), "{source:?}: {result:?}");
        }
    }

    #[test]
    fn what_was_compiled_before_is_not_compiled_again() {
        let context = Context::headless(None).expect("adapter");
        let mut buffers = Buffers::new(&context);
        buffers.create_uniform("batch", &[[1u32, 5]]).unwrap();
        buffers.create_with("source", &[10u32]).unwrap();
        let mut compiled = |source: &str, factor| {
            buffers.create_with("result", &[0u32]).unwrap();
            let kernel = Kernel::from_source(&context, "test/scale", source, &[("FACTOR", factor)]).unwrap();
            run(&kernel.bind(&context, &buffers).unwrap(), &context, &[(1, 0)]);
            (context.effort().kernels, buffers.read::<u32>("result").unwrap()[0])
        };
        let less = &SCALE.replace("+ batch.add", "- batch.add");
        let first = [compiled(SCALE, 3.0), compiled(SCALE, 4.0), compiled(less, 4.0)];
        assert_eq!(first, [(1, 35), (2, 45), (3, 35)]);
        let again = [compiled(less, 4.0), compiled(SCALE, 3.0), compiled(SCALE, 4.0)];
        assert_eq!(again, [(3, 35), (3, 35), (3, 45)]);
        assert_eq!(context.take_errors(), Vec::<String>::new());
    }

    #[test]
    fn every_thread_runs_once_at_awkward_sizes() {
        let context = Context::shared().expect("adapter");
        let kernel = Kernel::from_source(&context, "test/scale", SCALE, &[("FACTOR", 3.0)]).unwrap();
        for count in [0u32, 1, 63, 64, 65, 100_003, 64 * 65_535 + 1] {
            let mut buffers = Buffers::new(&context);
            buffers.create_uniform("batch", &[[count, 0], [count, 7]]).unwrap();
            buffers.create_with("source", &(0..count).collect::<Vec<_>>()).unwrap();
            buffers.create::<u32>("result", count as usize + 1, wgpu::BufferUsages::empty()).unwrap();
            let bound = kernel.bind(&context, &buffers).unwrap();
            run(&bound, &context, &[(count, 0), (count, 1), (0, 1)]);
            let expected: Vec<u32> = (0..count).map(|i| (i * 3).wrapping_add(i * 3 + 7)).chain([0]).collect();
            assert!(buffers.read::<u32>("result").unwrap() == expected, "{count} threads");
        }
        assert_eq!(context.take_errors(), Vec::<String>::new());
    }

    #[test]
    fn indirect_dispatch_reads_its_size_from_a_buffer() {
        let context = Context::shared().expect("adapter");
        let kernel = Kernel::from_source(&context, "test/scale", SCALE, &[]).unwrap();
        let mut buffers = Buffers::new(&context);
        buffers.create_uniform("batch", &[[100u32, 1]]).unwrap();
        buffers.create_with("source", &[0u32; 100]).unwrap();
        buffers.create::<u32>("result", 100, wgpu::BufferUsages::empty()).unwrap();
        buffers.create::<u32>("args", 3, wgpu::BufferUsages::INDIRECT).unwrap();
        buffers.upload("args", 0, &[1u32, 1, 1]).unwrap();
        let bound = kernel.bind(&context, &buffers).unwrap();
        let args = buffers.get("args").unwrap();
        context.run("indirect", |encoder| {
            bound.dispatch_indirect(&mut encoder.begin_compute_pass(&Default::default()), args, 0, 0);
        });
        assert_eq!(buffers.read::<u32>("result").unwrap().iter().sum::<u32>(), 64, "one group of 64");
    }

    #[test]
    fn a_variable_can_stand_for_another_buffer() {
        let context = Context::shared().expect("adapter");
        let kernel = Kernel::from_source(&context, "test/scale", SCALE, &[]).unwrap();
        let mut buffers = Buffers::new(&context);
        buffers.create_uniform("batch", &[[3u32, 1]]).unwrap();
        buffers.create_with("source", &[1u32, 2, 3]).unwrap();
        buffers.create_with("result", &[0u32; 3]).unwrap();
        buffers.create_with("elsewhere", &[10u32; 3]).unwrap();
        let bound = kernel.bind_as(&context, &buffers, "test/again", &[("result", "elsewhere")]).unwrap();
        assert_eq!(bound.name(), "test/again");
        run(&bound, &context, &[(3, 0)]);
        assert_eq!(buffers.read::<u32>("elsewhere").unwrap(), [12, 13, 14]);
        assert_eq!(buffers.read::<u32>("result").unwrap(), [0; 3]);
        let wrong = kernel.bind_as(&context, &buffers, "test/again", &[("resultt", "elsewhere")]);
        assert!(matches!(wrong, Err(GpuError::Binding { binding, .. }) if binding == "resultt"));
    }

    #[test]
    fn what_is_in_no_table_is_found_by_name() {
        let context = Context::shared().expect("adapter");
        let kernel = Kernel::from_source(&context, "test/scale", SCALE, &[("FACTOR", 2.0)]).unwrap();
        let mut buffers = Buffers::new(&context);
        buffers.create_uniform("numbers", &[[3u32, 1]]).unwrap();
        buffers.create_with("from", &[1u32, 2, 3]).unwrap();
        buffers.create_with("to", &[0u32; 3]).unwrap();
        let [numbers, from, to] = ["numbers", "from", "to"].map(|name| Resource::from(buffers.get(name).unwrap()));
        let given = [("source", from), ("more", from), ("batch", numbers), ("result", to)];
        run(&kernel.bind_to(&context, &given).unwrap(), &context, &[(3, 0)]);
        assert_eq!(buffers.read::<u32>("to").unwrap(), [3, 5, 7]);
        let lacking = kernel.bind_to(&context, &given[..3]);
        assert!(matches!(lacking, Err(GpuError::Binding { binding, .. }) if binding == "result"));
        let wrong = kernel.bind_to(&context, &[("source", numbers), given[2], given[3]]);
        assert!(matches!(wrong, Err(GpuError::Binding { binding, .. }) if binding == "source"));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let context = Context::shared().expect("adapter");
        let kernel = Kernel::from_source(&context, "test/scale", SCALE, &[]).unwrap();
        let mut buffers = Buffers::new(&context);
        let named = |result: Result<BoundKernel, GpuError>, wanted: &str| {
            let Err(GpuError::Binding { shader, binding, .. }) = result else { panic!("{wanted} was accepted") };
            assert_eq!((shader.as_str(), binding.as_str()), ("test/scale", wanted));
        };
        buffers.create_uniform("batch", &[[0u32, 0]]).unwrap();
        buffers.create_with("source", &[0u32]).unwrap();
        named(kernel.bind(&context, &buffers), "result");
        buffers.create_with("result", &[[0f32; 4]]).unwrap();
        named(kernel.bind(&context, &buffers), "result");
        buffers.create_with("result", &[0u32]).unwrap();
        buffers.create_with("batch", &[[0u32, 0]]).unwrap();
        named(kernel.bind(&context, &buffers), "batch");
        let unknown = Kernel::from_source(&context, "test/scale", SCALE, &[("FACTR", 1.0)]);
        assert!(matches!(unknown, Err(GpuError::Binding { binding, .. }) if binding == "FACTR"));
        assert!(matches!(Kernel::new(&context, "no/such", &[]), Err(GpuError::NoShader { .. })));
    }

    #[test]
    fn folding_covers_every_group() {
        for groups in [0, 1, 65_535, 65_536, 65_537, 67_108_864] {
            let (x, y) = fold(groups);
            assert!(x <= MAX_GROUPS && x * y >= groups && x * y - groups < y, "{groups} -> {x} x {y}");
        }
    }
}
