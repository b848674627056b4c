// The air of the world: a wind, and gusts that travel with it.

struct Air {
    wind: vec3f,               // [m/s]
    gusts: f32,                // part of the wind's speed that comes and goes
    way: vec3f,                // how far the air has gone since the start, modulo its period [m]
}

// Distance after which gusts repeat, in corners of the lattice. Twin: solver::sails::GUST_PERIOD.
const GUST_PERIOD: f32 = 1024.0;
const GUST_SIZE: f32 = 1.5; // of the largest [m]

// Velocity of the air at a place [m/s], after so much of the frame [s]: noise on a lattice, carried along (Taylor 1938).
fn air_at(air: Air, place: vec3f, time: f32) -> vec3f {
    if air.gusts == 0.0 || all(air.wind == vec3f(0.0)) {
        return air.wind;
    }
    let carried = (place - air.way - time * air.wind) / GUST_SIZE;
    let noise = lattice_noise(carried) + 0.5 * lattice_noise(2.0 * carried + 0.5);
    return air.wind + air.gusts * length(air.wind) * noise;
}

// Smooth noise from -1 to 1 in each direction: values at whole places, joined by cubics.
fn lattice_noise(at: vec3f) -> vec3f {
    let cell = floor(at);
    let t = at - cell;
    let s = t * t * (3.0 - 2.0 * t);
    var sum = vec3f(0.0);
    for (var i = 0u; i < 8u; i++) {
        let corner = vec3f(vec3u(i, i >> 1u, i >> 2u) & vec3u(1u));
        let share = mix(1.0 - s, s, corner);
        sum += share.x * share.y * share.z * lattice_value(cell + corner);
    }
    return sum;
}

// Three numbers from -1 to 1 for a whole place, by a hash (Jarzynski and Olano 2020).
fn lattice_value(place: vec3f) -> vec3f {
    var v = vec3u(vec3i(place)) & vec3u(u32(GUST_PERIOD) - 1u);
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> vec3u(16u);
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return vec3f(v >> vec3u(8u)) / 8388607.5 - 1.0;
}
