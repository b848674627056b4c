#import "common/contact"
#import "common/thread"
// One thread per particle, when contacts have got more slots or fewer. Takes its targets along into rows of another length.

struct Widening {
    particle_count: u32,
    capacity_before: u32,      // slots against bodies and particles
    capacity: u32,
    slots_before: u32,         // those and the ones against colliders
    slots: u32,
}

@group(0) @binding(0) var<uniform> widening: Widening;
@group(1) @binding(0) var<storage, read> contact_targets_before: array<u32>;
@group(1) @binding(1) var<storage, read_write> contact_targets: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= widening.particle_count {
        return;
    }
    let before = target_base(i, widening.slots_before);
    let now = target_base(i, widening.slots);
    let counts = contact_targets_before[before - 2u];
    let others = min(counts >> 16u, widening.capacity);
    let colliders = counts & 0xffffu;
    contact_targets[now - 2u] = (others << 16u) | colliders;
    contact_targets[now - 1u] = contact_targets_before[before - 1u];
    for (var k = 0u; k < others; k++) {
        contact_targets[now + k] = contact_targets_before[before + k];
    }
    for (var k = 0u; k < colliders; k++) {
        contact_targets[now + widening.capacity + k] = contact_targets_before[before + widening.capacity_before + k];
    }
}
