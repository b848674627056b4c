#import "common/params"
#import "common/control"
#import "constraints/seams"
// One workgroup per object that tears: gives its vertices that split a spare one each, in their order. What finds none holds from
// now on, and is counted.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> tear_fabrics: array<TearFabric>;
@group(1) @binding(1) var<storage, read_write> tear_vertices: array<TearVertex>;
@group(1) @binding(2) var<storage, read_write> tear_plans: array<TearPlan>;
@group(1) @binding(3) var<storage, read_write> control: Control;

const ALLOT_THREADS: u32 = 64u;

var<workgroup> flags: array<u32, ALLOT_THREADS>;
var<workgroup> own_fabric: TearFabric;

@compute @workgroup_size(ALLOT_THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let index = group.y * groups.x + group.x;
    if index >= arrayLength(&tear_fabrics) {
        return;
    }
    if local == 0u {
        own_fabric = tear_fabrics[index];
    }
    let fabric = workgroupUniformLoad(&own_fabric);
    let end = fabric.first + fabric.count;
    var taken = fabric.taken;
    for (var base = fabric.first; base < end; base += ALLOT_THREADS) {
        let v = base + local;
        var waits = false;
        if v < end {
            waits = tear_plans[v].given == CHOSEN;
        }
        flags[local] = u32(waits);
        workgroupBarrier();
        var before = 0u;
        var all = 0u;
        for (var k = 0u; k < ALLOT_THREADS; k++) {
            before += select(0u, flags[k], k < local);
            all += flags[k];
        }
        workgroupBarrier();
        if waits {
            give(v, fabric.spare + taken + before, end);
        }
        taken += all;
    }
    if local == 0u {
        tear_fabrics[index].taken = min(taken, end - fabric.spare);
    }
}

fn give(v: u32, given: u32, end: u32) {
    if given >= end {
        tear_plans[v].given = NONE;
        tear_vertices[v].held = 1u;
        atomicAdd(&control.tears_dropped, 1u);
        return;
    }
    tear_plans[v].given = given;
    tear_vertices[given].first = tear_vertices[v].first;
    tear_vertices[given].count = tear_vertices[v].count;
}
