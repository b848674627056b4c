#import "common/params"
#import "common/body"
#import "forces/push"
#import "forces/kinds"
// What all pushes do to a body. The including kernel declares `push_counts`, `pushes` and `links`.

// The body after them.
fn pushed(body: Body, p: BodyProperties, index: u32) -> Body {
    var b = body;
    for (var k = first_push(0u, push_counts.bodies, index); k < push_counts.bodies && pushes[k].first == index; k++) {
        b = pushed_by(b, p, pushes[k]);
    }
    let first = push_counts.bodies + push_counts.particles;
    for (var k = first; k < first + push_counts.regions; k++) {
        let row = pushes[k];
        if (row.flags & ACTS_ON_BODIES) != 0u && distance(b.center, row.point) <= row.radius + p.reach {
            b = blasted(b, p, row);
        }
    }
    return b;
}

fn pushed_by(body: Body, p: BodyProperties, row: PushRow) -> Body {
    var b = body;
    let local = (row.flags & PUSH_LOCAL) != 0u;
    let vector = select(row.vector, rotate(b.rotation, row.vector), local);
    switch row.action {
        case PUSH_IMPULSE: {
            b.velocity += b.inv_mass * vector;
            let arm = select(row.point - b.center, rotate(b.rotation, row.point), local);
            let torque = select(vec3f(0.0), cross(arm, vector), (row.flags & PUSH_AT_POINT) != 0u);
            b.angular_velocity += inverse_inertia_times(p, b.rotation, torque);
        }
        case PUSH_ANGULAR_IMPULSE: {
            b.angular_velocity += inverse_inertia_times(p, b.rotation, vector);
        }
        case PUSH_VELOCITY_CHANGE: {
            b.velocity += vector;
        }
        case PUSH_ANGULAR_VELOCITY_CHANGE: {
            b.angular_velocity += vector;
        }
        case PUSH_VELOCITY: {
            b.velocity = vector;
        }
        case PUSH_ANGULAR_VELOCITY: {
            b.angular_velocity = vector;
        }
        default: {}
    }
    return b;
}

// Each particle of the body takes its part of a blast, by its share of the mass.
fn blasted(body: Body, p: BodyProperties, row: PushRow) -> Body {
    var linear = vec3f(0.0);
    var angular = vec3f(0.0);
    var mass = 0.0;
    for (var k = p.first_link; k < p.first_link + p.link_count; k++) {
        let share = links[k].local.w;
        let arm = rotate(body.rotation, links[k].local.xyz);
        let push = share * blast_at(row, body.center + arm);
        linear += push;
        angular += cross(arm, push);
        mass += share;
    }
    let strength = row.vector.x / select(1.0, max(mass, 1e-30), row.action == PUSH_BLAST_IMPULSE);
    var b = body;
    b.velocity += strength * b.inv_mass * linear;
    b.angular_velocity += inverse_inertia_times(p, b.rotation, strength * angular);
    return b;
}
