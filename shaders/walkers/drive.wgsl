#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/friction"
#import "common/thread"
#import "queries/query"
#import "walkers/walker"
// One thread per walker, at the start of a substep: it changes its velocity as far as its legs can. In the first substep it takes what it
// felt around itself as the ground of the frame, a plane that moves with what it is of.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> colliders: array<Collider>;
@group(1) @binding(3) var<storage, read> walkers: array<Walker>;
@group(1) @binding(4) var<storage, read_write> footings: array<Footing>;
@group(1) @binding(5) var<storage, read> walker_hits: array<Hit>;
@group(1) @binding(6) var<storage, read> thicknesses: array<f32>;

// So near to its soles the ground is one that it comes down on [m]. A capsule of particles has flats of some millimeters.
const TOUCHING_GROUND: f32 = 0.04;
// What is so near is level with its soles [m].
const LEVEL: f32 = 0.02;
// Lowest step [m], and how far above steps it goes: its capsule has corners.
const LEAST_LEDGE: f32 = 0.001;
const OVER: f32 = 0.01;
// So much higher than its step it still climbs, in its radii: what it stands on gives way by less.
const SLACK: f32 = 0.005;
// Above this speed away from the ground, beside that of its walk, something has thrown it [m/s].
const THROWN: f32 = 2.0;
// From this speed over an edge on it leaves it [m/s].
const LEAVING: f32 = 0.1;
// Most that its legs lift it, or hold it down [m/s²]: six times its weight, as in a sprint.
const LEGS: f32 = 60.0;
// Slowest that it climbs [m/s].
const CLIMBS: f32 = 1.0;
// How long it can jump after the ground was under it, and how long it waits for the ground to jump [s]: a player's thumb is no faster.
const LATE: f32 = 0.1;
// Part of the greatest push that it feels as something in its way.
const IN_THE_WAY: f32 = 0.5;

var<private> walker: Walker;
var<private> footing: Footing;
var<private> own: Body;
var<private> up: vec3f;
var<private> level: vec3f;     // the wish
var<private> pull: vec3f;      // what gravity adds to its velocity in the substep [m/s]

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let w = global_index(id, groups);
    if w >= arrayLength(&walkers) || walkers[w].body == NONE {
        return;
    }
    walker = walkers[w];
    footing = footings[w];
    own = bodies[walker.body];
    let p = body_properties[walker.body];
    up = upwards(params.gravity);
    level = level_wish(walker.wish, up);
    pull = params.substep_dt * params.gravity * p.gravity_scale;
    footing.impulse = vec3f(0.0);
    footing.pushed = NOTHING;
    footing.reach = reach_down(walker, own.rotation, up);
    if (p.flags & (BODY_REMOVED | BODY_KINEMATIC)) != 0u || p.inv_mass == 0.0 {
        footing.ground = NOTHING;
        footings[w] = footing;
        return;
    }
    own.inv_mass = p.inv_mass;
    own.rest_time = 0.0;
    if batch.substep == 0u {
        feel(w, arrayLength(&walkers));
    }
    go();
    footing.expected = own.velocity + pull;
    bodies[walker.body].velocity = free_way(p, own.velocity);
    bodies[walker.body].inv_mass = own.inv_mass;
    bodies[walker.body].rest_time = 0.0;
    footings[w] = footing;
}

// What is under it and ahead of it, at the start of a frame.
fn feel(w: u32, count: u32) {
    let stood = footing.ground != NOTHING;
    footing.center = own.center;
    footing.velocity = own.velocity;
    footing.ground = NOTHING;
    footing.ledge = NO_LEDGE;
    footing.clearance = FAR;
    let ray = walker_hits[w];
    let ball = walker_hits[2u * count + w];
    var hit = ball;
    var gap = gap_under(ball, FEELER * walker.radius);
    if ball.thing == NOTHING {
        hit = ray;
        gap = gap_under(ray, 0.0);
    }
    if hit.thing == NOTHING {
        return;
    }
    // The edge that a ball meets is no slope if what is under the center is none, and neither is a notch between two edges.
    if ray.thing != NOTHING && gap_under(ray, 0.0) < walker.step + TOUCHING_GROUND
        && dot(ray.normal, up) > dot(hit.normal, up) {
        hit.normal = ray.normal;
    }
    let upright = dot(hit.normal, up);
    footing.normal = hit.normal;
    footing.point = hit.point;
    footing.clearance = gap * upright;
    let under = velocity_of(hit.thing);
    let away = dot(own.velocity - under, hit.normal);
    if footing.rising != 0u && away <= 0.0 {
        footing.rising = 0u;
    }
    let reach = select(TOUCHING_GROUND, walker.step + TOUCHING_GROUND, stood);
    let thrown = away > THROWN + length(level) || is_blown(hit.normal, under);
    if gap > reach || upright < walker.least_up || thrown || footing.rising != 0u || is_past_edge(ray, hit.normal, under) {
        return;
    }
    footing.ground = hit.thing;
    feel_edge(ball, ray, gap);
    let ahead = walker_hits[count + w];
    if ahead.thing != NOTHING && dot(ahead.normal, up) >= walker.least_up {
        let slope = -dot(level, hit.normal) / max(upright * length(level), 1e-9);
        let rise = slope * feels_ahead(walker.radius, level, params.dt);
        let height = walker.step + ABOVE + thickness_of(ahead) - ahead.distance - max(rise, 0.0);
        footing.ledge = max(footing.ledge, climbable(height, gap));
    }
}

// Whether it goes off an edge, over which its center is already: it falls, and does not follow the edge around.
fn is_past_edge(ray: Hit, n: vec3f, under: vec3f) -> bool {
    let over_nothing = ray.thing == NOTHING || gap_under(ray, 0.0) > walker.step + TOUCHING_GROUND;
    let outward = tangential(n, up);
    return over_nothing && dot(own.velocity - under, outward) > LEAVING * length(outward);
}

// A low edge under its front, where the ray ahead is beyond a narrow tread.
fn feel_edge(ball: Hit, ray: Hit, gap: f32) {
    let sole = own.center - footing.reach * up;
    let apart = dot(ball.point - ray.point, ray.normal) > LEVEL;
    if ball.thing != NOTHING && ray.thing != NOTHING && apart && dot(ball.normal, up) >= walker.least_up
        && dot(ball.point - own.center, level) > 0.0 {
        footing.ledge = climbable(dot(ball.point - sole, up), gap);
    }
}

// A ledge so high over its soles, which are so far from the ground, if it is no higher than a step.
fn climbable(height: f32, gap: f32) -> f32 {
    let highest = walker.step + SLACK * walker.radius;
    return select(NO_LEDGE, height, height + clamp(gap, -LEVEL, LEVEL) <= highest);
}

// How far it can fall on a plane as that which something of this radius has met.
fn gap_under(hit: Hit, radius: f32) -> f32 {
    let upright = max(dot(hit.normal, up), 0.2);
    return hit.distance - (footing.reach - walker.radius) - (walker.radius + thickness_of(hit) - radius) / upright;
}

// Of what is around the triangles of a deformable: queries meet the middle of their particles, and bodies lie on them [m].
fn thickness_of(hit: Hit) -> f32 {
    if (hit.thing >> THING_BITS) != THING_DEFORMABLE || (hit.part & PART_PARTICLE) != 0u {
        return 0.0;
    }
    return thicknesses[hit.thing & ((1u << THING_BITS) - 1u)];
}

// Of the point of a thing that it stands on [m/s]. What has no body is taken to stay.
fn velocity_of(thing: u32) -> vec3f {
    let index = thing & ((1u << THING_BITS) - 1u);
    switch thing >> THING_BITS {
        case THING_BODY: {
            return body_velocity_at(bodies[index], footing.point - bodies[index].center);
        }
        case THING_COLLIDER: {
            let c = colliders[index];
            return collider_velocity_at(c, footing.point) + running(c, footing.normal);
        }
        default: {
            return vec3f(0.0);
        }
    }
}

fn go() {
    let h = params.substep_dt;
    if footing.jumps != walker.jumps {
        footing.jumps = walker.jumps;
        footing.jump_left = LATE;
    }
    if footing.ground == NOTHING {
        fly();
    } else {
        footing.stood = LATE;
        walk();
    }
    if footing.jump_left > 0.0 && footing.stood > 0.0 {
        var under = vec3f(0.0);
        if footing.ground != NOTHING {
            under = velocity_of(footing.ground);
        }
        let change = walker.jump_speed + dot(under - own.velocity, up);
        own.velocity += up * change;
        push_off(max(change, 0.0));
        footing.ground = NOTHING;
        footing.rising = 1u;
        footing.jump_left = 0.0;
        footing.stood = 0.0;
    }
    footing.jump_left -= h;
    footing.stood -= h;
}

// What it jumps off is pushed back, and no faster than the jump: what is light stands on something itself, or is kicked away.
fn push_off(change: f32) {
    if (footing.ground >> THING_BITS) != THING_BODY {
        return;
    }
    let index = footing.ground & ((1u << THING_BITS) - 1u);
    let other = bodies[index];
    let weight = body_weight(other, body_properties[index], footing.point - other.center, up);
    footing.pushed = footing.ground;
    footing.impulse -= up * (change / max(own.inv_mass, weight));
}

// Whether something has thrown it off what goes `under` it in the last substep. What it runs against turns its velocity, and adds nothing.
fn is_blown(n: vec3f, under: vec3f) -> bool {
    let relative = own.velocity - under;
    let expected = footing.expected - under;
    return dot(relative, n) > THROWN && dot(relative, relative) > dot(expected, expected) + THROWN * THROWN;
}

// In the air it turns a little, over what it left; on what is too steep it does not go up.
fn fly() {
    if all(level == vec3f(0.0)) {
        return;
    }
    let over = own.velocity - footing.carried;
    var lacking = level - (over - up * dot(over, up));
    let away = footing.normal - up * dot(footing.normal, up);
    if footing.clearance < TOUCHING_GROUND && dot(lacking, away) < 0.0 {
        lacking -= away * (dot(lacking, away) / dot(away, away));
    }
    own.velocity += shortened(lacking, walker.air_acceleration * params.substep_dt);
}

fn walk() {
    let h = params.substep_dt;
    let n = footing.normal;
    let under = velocity_of(footing.ground);
    let relative = own.velocity - under;
    footing.carried = under;
    if is_blown(n, under) {
        footing.ground = NOTHING;
        footing.rising = 1u;
        return;
    }
    // Along the ground, as fast as the wish.
    let along = level - up * (dot(level, n) / dot(up, n));
    let way = along * (length(level) / max(length(along), 1e-9));
    let lacking = way - tangential(relative, n);
    let change = pushing(shortened(yielding(lacking) * lacking, h * walker.acceleration), n) - tangential(pull, n);
    own.velocity += change;
    footing.impulse = -change / own.inv_mass;
    footing.pushed = footing.ground;
    // Up a step, or down to the ground.
    let moved = own.center - footing.center - (batch.time - h) * under;
    let ledge = footing.ledge - dot(moved, up);
    let clearance = footing.clearance + dot(moved, n);
    let lift = max(length(level), CLIMBS);
    if ledge > LEAST_LEDGE || (ledge > -LEVEL && clearance > LEVEL) {
        let height = ledge + OVER;
        let wanted = clamp(0.5 * height / params.dt, -lift, lift) - dot(own.velocity - under + pull, up);
        own.velocity += up * clamp(wanted, -LEGS * h, LEGS * h);
        return;
    }
    let sink = min(max(clearance, 0.0) / params.dt, lift);
    let rise = dot(own.velocity - under, n);
    if rise > -sink {
        own.velocity -= n * min(rise + sink, LEGS * h);
    }
}

// What is left of a change of velocity if something was in its way in the last substep: towards that it goes by its push alone. What it
// stands on is not in its way, however rough.
fn pushing(change: vec3f, n: vec3f) -> vec3f {
    let most = walker.push * own.inv_mass * params.substep_dt;
    let gained = own.velocity - footing.expected;
    let lost = tangential(-gained, n);
    let size = length(lost);
    if size <= IN_THE_WAY * most + roughness_of(footing.ground) * max(dot(gained, n), 0.0) {
        return change;
    }
    let way = lost / max(size, 1e-9);
    return change - way * max(dot(change, way) - most, 0.0);
}

// Friction between it and a thing.
fn roughness_of(thing: u32) -> f32 {
    let index = thing & ((1u << THING_BITS) - 1u);
    var friction = FRICTION;
    if (thing >> THING_BITS) == THING_BODY {
        friction = body_properties[index].friction;
    } else if (thing >> THING_BITS) == THING_COLLIDER {
        friction = colliders[index].friction;
    }
    return pair_friction(body_properties[walker.body].friction, friction);
}

// Which part of a change of velocity over what it stands on is its own: the other one is that of a light thing under it.
fn yielding(lacking: vec3f) -> f32 {
    let size = length(lacking);
    if (footing.ground >> THING_BITS) != THING_BODY || size < 1e-9 {
        return 1.0;
    }
    let index = footing.ground & ((1u << THING_BITS) - 1u);
    let other = bodies[index];
    let weight = body_weight(other, body_properties[index], footing.point - other.center, lacking / size);
    return own.inv_mass / (own.inv_mass + weight);
}
