#import "common/params"
#import "common/body"
#import "search/promise"
#import "common/thread"
// One thread per body. Starts a substep: c* = c + h v, q* = exp(h ω) q. Angular momentum is carried over exactly:
// ω* = I(q*)⁻¹ L, with the turn taken at the midpoint. Contacts that lasted push as before, to be corrected later.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read_write> control: Control;
@group(1) @binding(3) var<storage, read_write> body_pseudo_motions: array<PseudoMotion>;
@group(1) @binding(4) var<storage, read_write> body_origins: array<Pose>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count {
        return;
    }
    var b = bodies[i];
    body_origins[i] = Pose(b.center, b.rotation);
    let p = body_properties[i];
    let h = params.substep_dt;
    let warm_start = WarmStart(batch.lasting * body_pseudo_motions[i].warm_start_linear.xyz,
        batch.lasting * body_pseudo_motions[i].warm_start_angular.xyz);
    body_pseudo_motions[i] = PseudoMotion(vec4f(0.0), vec4f(0.0, 0.0, 0.0, 1.0), vec4f(0.0), vec4f(0.0));
    let margin = b.margin;
    let kinematic = (p.flags & BODY_KINEMATIC) != 0u;
    if (p.flags & BODY_REMOVED) != 0u {
        return;
    }
    if b.inv_mass == 0.0 && !kinematic {
        // To one that sleeps colliders come, and wake it by touching it.
        let left = margin - params.collider_speed * h;
        if left != margin {
            bodies[i].margin = left;
            hurry(left, params.collider_speed);
        }
        return;
    }
    if !kinematic {
        let damping = own_damping(p);
        let gained = h * params.gravity * p.gravity_scale + b.inv_mass * warm_start.linear / h;
        b.velocity = free_way(p, (b.velocity + gained) / (1.0 + h * (params.linear_damping + damping.x)));
        let kept = inertia_times(p, b.rotation, b.angular_velocity) + warm_start.angular / h;
        let momentum = kept / (1.0 + h * (params.angular_damping + damping.y));
        let halfway = turn(b.rotation, shortened(0.5 * h * b.angular_velocity, 0.5));
        let middle = inverse_inertia_times(p, halfway, momentum);
        b.rotation = turn(b.rotation, shortened(h * middle, 0.5));
        b.angular_velocity = shortened(inverse_inertia_times(p, b.rotation, momentum), 0.5 / h);
        b.velocity = shortened(b.velocity, params.max_speed);
    } else {
        b.rotation = turn(b.rotation, shortened(h * b.angular_velocity, 0.5));
    }
    b.center = b.center + h * b.velocity;
    let speed = length(b.velocity) + length(b.angular_velocity) * p.reach + params.collider_speed;
    b.margin = margin - speed * h;
    hurry(b.margin, speed);
    bodies[i] = b;
}

// Of the margin of the last search this is left; once it does not last until the next chance, a new search is due.
fn hurry(left: f32, speed: f32) {
    promise(left - bitcast<f32>(atomicLoad(&control.shortage)), speed, BODY_MARGIN_MOST * params.particle_radius);
}
