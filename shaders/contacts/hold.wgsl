#import "common/body"
#import "common/control"
// Bodies held with an end to their strength, by groups that joints tie together. The including kernel declares `bodies`,
// `body_properties`, `holds` and `control`, and says in `bears(hold)` what is too much for one of them.

// A body held with an end to its strength.
struct Hold {
    properties: BodyProperties, // once it is let go of
    body: u32,
    strength: f32,             // most impulse that it bears [N s]
    first: u32,                // hold with which the group of this number begins; one row more than holds has the end
    groups: u32,               // in the first row, how many there are
}

// Threads of a workgroup.
const LET_GO_THREADS: u32 = 32u;
// Fastest that a body goes on that is let go of, at its center and at its rim [m/s].
const FASTEST_RELEASED: f32 = 15.0;

var<workgroup> struck: atomic<u32>;
var<workgroup> seen: u32;

// Lets go of a group of which one does not bear what is done to it.
fn hold_or_let_go(group: u32, local: u32) {
    let first = holds[group].first + local;
    let end = holds[group + 1u].first;
    if !all_bear(first, end, local) {
        for (var k = first; k < end; k += LET_GO_THREADS) {
            let_go(k);
        }
        if local == 0u {
            atomicAdd(&control.let_go, 1u);
        }
    }
}

// Whether all of them bear it; the same for all threads.
fn all_bear(first: u32, end: u32, local: u32) -> bool {
    if local == 0u {
        atomicStore(&struck, 0u);
    }
    workgroupBarrier();
    for (var k = first; k < end; k += LET_GO_THREADS) {
        if !bears(k) {
            atomicStore(&struck, 1u);
        }
    }
    workgroupBarrier();
    if local == 0u {
        seen = atomicLoad(&struck);
    }
    return workgroupUniformLoad(&seen) == 0u;
}

fn let_go(k: u32) {
    let hold = holds[k];
    if (body_properties[hold.body].flags & BODY_KINEMATIC) == 0u {
        return;
    }
    body_properties[hold.body] = hold.properties;
    var b = bodies[hold.body];
    b.inv_mass = hold.properties.inv_mass;
    b.rest_time = 0.0;
    b.velocity = shortened(b.velocity, FASTEST_RELEASED);
    b.angular_velocity = shortened(b.angular_velocity, FASTEST_RELEASED / max(hold.properties.reach, 1e-6));
    bodies[hold.body] = b;
}
