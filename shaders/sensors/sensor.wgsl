// A region of the world that tells what is inside.

struct Sensor {
    position: vec3f,           // [m], in the frame of its body if it has one
    body: u32,                 // whose frame it is in, or NONE
    rotation: vec4f,
    kinds: u32,                // of things that it tells, bits; none of one that was removed
}

struct SensorCounts {
    sensors: u32,
    things: u32,               // counts of each
}

// A particle that no sensor tells, and bits of the index of the thing of others; the bit of its kind among `Sensor.kinds` is above them.
const UNSENSED: u32 = 0xffffffffu;
const SENSED_BITS: u32 = 24u;
