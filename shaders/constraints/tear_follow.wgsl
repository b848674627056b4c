#import "common/params"
#import "common/thread"
#import "common/color"
#import "constraints/global_row"
#import "constraints/seams"
// One thread per constraint that follows triangles: it takes the particles of their corners. What bends about an edge that has parted
// acts no more; what keeps its length has a half on each side. An object that has torn is closed no more.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> tear_followers: array<TearFollower>;
@group(1) @binding(1) var<storage, read> tear_corners: array<u32>;
@group(1) @binding(2) var<storage, read_write> constraint_words: array<u32>;
@group(1) @binding(3) var<storage, read_write> torn_edges: array<u32>;
@group(1) @binding(4) var<storage, read> tear_fabrics: array<TearFabric>;
@group(1) @binding(5) var<storage, read> tear_globals: array<u32>;
@group(1) @binding(6) var<storage, read_write> global_constraints: array<GlobalConstraint>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < arrayLength(&tear_fabrics) && tear_fabrics[i].taken > 0u {
        for (var k = 0u; k < tear_fabrics[i].global_count; k++) {
            global_constraints[tear_globals[tear_fabrics[i].globals + k]].count = 0u;
        }
    }
    if i >= arrayLength(&tear_followers) {
        return;
    }
    let row = tear_followers[i];
    var parted = false;
    if row.across.x < HELD {
        parted = tear_corners[row.corners.x] != tear_corners[row.across.x] || tear_corners[row.corners.y] != tear_corners[row.across.y];
    }
    for (var k = 0u; k < row.count; k++) {
        constraint_words[row.first + k * row.stride] = tear_corners[row.corners[k]];
    }
    if select(row.mode == PARTED, row.mode == WHOLE, parted) {
        constraint_words[row.first] = NONE;
    } else if parted {
        constraint_words[row.first] |= HALF;
    }
    if row.tear != NONE {
        torn_edges[row.tear] = u32(parted);
    }
}
