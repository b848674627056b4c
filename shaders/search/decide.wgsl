#import "common/params"
#import "common/control"
#import "common/contact"
#import "fluid/fluid"
#import "search/searching"
// One thread. Searches contacts again once something would move further than its margin: writes the indirect dispatch sizes of
// the search passes, their full size or nothing. The same for neighbors in liquid, by the way of the fastest or the count of substeps.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(2) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read_write> control: Control;
@group(1) @binding(1) var<storage, read> search_sizes: array<vec4u>;
@group(1) @binding(2) var<storage, read_write> search_args: array<u32>;
@group(1) @binding(3) var<storage, read_write> contact_list: ContactList;

// In shorter substeps [s] than this neighbors in liquid are searched again after a shorter way.
const USUAL_SUBSTEP: f32 = 1.0 / 240.0;

@compute @workgroup_size(1)
fn main() {
    control.substeps += 1u;
    // In other substeps the passes that look for contacts are not there.
    let may_search = batch.substep % params.search_stride == 0u;
    let again = may_search && (control.searched == 0u || atomicExchange(&control.due, 0u) != 0u);
    if batch.substep == 0u {
        control.hurried = atomicExchange(&control.hurry, 0u);
    }
    // Counted anew at the end of the frame.
    atomicStore(&control.awake, 0u);
    let moved = control.liquid_moved + bitcast<f32>(atomicExchange(&control.liquid_speed, 0u)) * params.substep_dt;
    let by_count = (control.substeps - 1u) % max(params.liquid_search, 1u) == 0u;
    // Whom the lists lacked is found deep inside, and leaves the faster the shorter the substep.
    let lasting = fluid.margin * sqrt(min(params.substep_dt / USUAL_SUBSTEP, 1.0));
    let mixed = control.searched == 0u || select(moved > lasting, by_count, params.liquid_search > 0u);
    control.liquid_moved = select(moved, 0.0, mixed);
    if mixed {
        control.liquid_searches += 1u;
        atomicStore(&control.liquid_dropped, 0u);
        atomicStore(&control.liquid_most, 0u);
    }
    if again {
        control.searched = 1u;
        control.searches += 1u;
        atomicStore(&control.contacts_dropped, 0u);
        atomicStore(&control.contacts_most, 0u);
        atomicStore(&control.neighbors_dropped, 0u);
        atomicStore(&control.manifolds_dropped, 0u);
        atomicStore(&control.manifolds_most, 0u);
        atomicStore(&control.candidates_dropped, 0u);
        atomicStore(&control.colliders_dropped, 0u);
        atomicStore(&control.shortage, 0u);
        contact_list.heads = array(NO_ENTRIES, NO_ENTRIES);
    }
    for (var i = 0u; i < arrayLength(&search_sizes); i++) {
        let row = search_sizes[i];
        if row.w < OF_SURFACES {
            let size = select(vec4u(0u), row, select(again, mixed, row.w == OF_LIQUID));
            search_args[3u * i] = size.x;
            search_args[3u * i + 1u] = size.y;
            search_args[3u * i + 2u] = size.z;
        }
    }
}

