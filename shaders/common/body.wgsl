// State of a rigid body, row of `bodies`.

struct Body {
    /// xyz: centre of mass [m]; w: inverse mass in force now [1/kg].
    center: vec4<f32>,
    /// Unit quaternion xyzw; all zero for a body taken out of the world.
    rotation: vec4<f32>,
    /// xyz: velocity of the centre [m/s]; w: time below the sleep speed [s].
    velocity: vec4<f32>,
    /// xyz: angular velocity [rad/s].
    angular_velocity: vec4<f32>,
}
