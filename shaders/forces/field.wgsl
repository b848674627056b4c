#import "forces/user_field"
// Fields that last: what each does at a place. The including kernel declares `params`, `batch`, `field_counts` and `fields`.

struct FieldRow {
    vector: vec3f,             // acceleration [m/s²], velocity of the air [m/s], or axis of a vortex
    law: u32,
    center: vec3f,             // of the law [m]
    acts_on: u32,              // ACTS_ON_
    region_center: vec3f,      // [m]
    region: u32,
    region_rotation: vec4f,
    region_half: vec3f,        // half lengths of a box; x: radius of a ball [m]
    strength: f32,             // at a distance of 1 m [m/s²], or speed of a vortex at its core [m/s]
    power: f32,                // of the distance
    core: f32,                 // distance within which an attractor is harmonic and a vortex turns as a whole [m]
    rate: f32,                 // at which things take on the speed of the air [1/s]
    quadratic: f32,            // the same for each m/s of difference [1/m]
    pull: f32,                 // towards the axis of a vortex [m/s²]
    rise: f32,                 // along it [m/s]
    number: u32,               // of a user's field
}

struct FieldCounts {
    rows: u32,
    time: f32,                 // simulated before this frame [s]
}

const FIELD_ACCELERATION: u32 = 0u;
const FIELD_ATTRACTOR: u32 = 1u;
const FIELD_VORTEX: u32 = 2u;
const FIELD_AIR: u32 = 3u;
const FIELD_USER: u32 = 4u;

const REGION_ALL: u32 = 0u;
const REGION_BALL: u32 = 1u;
const REGION_BOX: u32 = 2u;

// By how much more or less than when it fell asleep fields must pull at a sleeper to wake it [m/s²], and which part of that.
const FIELD_WAKES: f32 = 0.05;
const FIELD_WAKES_PART: f32 = 0.02;

// What fields do at a place: a, and the air's drag k (u - v), as k and k u.
struct FieldSum {
    acceleration: vec3f,
    rate: f32,
    carried: vec3f,
    failed: bool,              // a user's field was no number
}

// All fields that act on this kind of things.
fn fields_at(x: vec3f, v: vec3f, kind: u32) -> FieldSum {
    let time = field_counts.time + batch.time - params.substep_dt;
    var sum = FieldSum(vec3f(0.0), 0.0, vec3f(0.0), false);
    for (var k = 0u; k < field_counts.rows; k++) {
        let row = fields[k];
        if (row.acts_on & kind) != 0u && in_region(row, x) {
            sum = with_field(sum, row, x, v, time);
        }
    }
    return sum;
}

fn in_region(row: FieldRow, x: vec3f) -> bool {
    let offset = x - row.region_center;
    switch row.region {
        case REGION_BALL: {
            return length(offset) <= row.region_half.x;
        }
        case REGION_BOX: {
            return all(abs(rotate_back(row.region_rotation, offset)) <= row.region_half);
        }
        default: {
            return true;
        }
    }
}

fn with_field(before: FieldSum, row: FieldRow, x: vec3f, v: vec3f, time: f32) -> FieldSum {
    var sum = before;
    switch row.law {
        case FIELD_ACCELERATION: {
            sum.acceleration += row.vector;
        }
        case FIELD_ATTRACTOR: {
            sum.acceleration += attracted(row, row.center - x);
        }
        case FIELD_VORTEX: {
            let across = x - row.center - dot(x - row.center, row.vector) * row.vector;
            let radius = length(across);
            // Rankine: as a whole inside its core, as 1/r outside.
            let part = select(row.core / max(radius, 1e-9), radius / row.core, radius < row.core);
            let way = across / max(radius, 1e-9);
            sum.acceleration -= row.pull * min(radius / row.core, 1.0) * way;
            sum = with_air(sum, row, part * (row.strength * cross(row.vector, way) + row.rise * row.vector), v);
        }
        case FIELD_AIR: {
            sum = with_air(sum, row, row.vector, v);
        }
        default: {
            let gained = user_field(row.number, x, v, time);
            let failed = is_broken(vec4f(gained, 0.0));
            sum.acceleration += select(gained, vec3f(0.0), failed);
            sum.failed = sum.failed || failed;
        }
    }
    return sum;
}

// Towards a center that is `way` away, by a power of the distance; harmonic near it, where powers below 1 would have no end.
fn attracted(row: FieldRow, way: vec3f) -> vec3f {
    let distance = max(length(way), max(row.core, 1e-6));
    return row.strength * pow(distance, row.power - 1.0) * way;
}

fn with_air(before: FieldSum, row: FieldRow, air: vec3f, v: vec3f) -> FieldSum {
    var sum = before;
    let rate = row.rate + row.quadratic * length(air - v);
    sum.rate += rate;
    sum.carried += rate * air;
    return sum;
}

// The velocity after a substep: drag is implicit, so that air never does more than take a thing along. Gravity [m/s²] comes after it, and air
// slows what it adds with the rest.
fn carried_on(v: vec3f, sum: FieldSum, gravity: vec3f) -> vec3f {
    let h = params.substep_dt;
    return (v + h * (sum.acceleration + sum.carried - h * sum.rate * gravity)) / (1.0 + h * sum.rate);
}

// Whether what pulls at a sleeper is another thing than when it fell asleep.
fn wakes(now: vec3f, before: vec3f) -> bool {
    return distance(now, before) > FIELD_WAKES + FIELD_WAKES_PART * length(before);
}
