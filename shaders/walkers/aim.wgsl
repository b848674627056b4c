#import "common/params"
#import "common/body"
#import "common/thread"
#import "queries/query"
#import "walkers/walker"
// One thread per walker, before a frame. Asks what is under it, by a ray and by a ball, and by a ray what is ahead of it. All rays come
// before all balls: those down, then those ahead.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> walkers: array<Walker>;
@group(1) @binding(1) var<storage, read> bodies: array<Body>;
@group(1) @binding(2) var<storage, read_write> walker_queries: array<Query>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let w = global_index(id, groups);
    let count = arrayLength(&walkers);
    if w >= count {
        return;
    }
    let walker = walkers[w];
    var query: Query;
    query.rotation = vec4f(0.0, 0.0, 0.0, 1.0);
    query.direction = -upwards(params.gravity);
    query.first_ignored = walker.first_ignored;
    query.ignored_count = walker.ignored_count;
    query.hit_count = 1u;
    let up = -query.direction;
    var reach = walker.half_height;
    if walker.body != NONE {
        query.origin = bodies[walker.body].center;
        query.kinds = walker.kinds;
        reach = reach_down(walker, bodies[walker.body].rotation, up);
    }
    // From its center to where it goes down, where that is steep.
    query.most = reach + walker.radius / walker.least_up + walker.step;
    ask(w, query);
    let level = level_wish(walker.wish, up);
    var ahead = query;
    ahead.origin += (walker.step + ABOVE - reach) * up;
    if any(level != vec3f(0.0)) {
        ahead.origin += feels_ahead(walker.radius, level, params.dt) * normalize(level);
    } else {
        ahead.kinds = 0u;
    }
    ahead.most = 2.0 * walker.step + ABOVE;
    ask(count + w, ahead);
    query.radius = FEELER * walker.radius;
    ask(2u * count + w, query);
}

fn ask(row: u32, query: Query) {
    walker_queries[row] = query;
    walker_queries[row].first_hit = row;
}
