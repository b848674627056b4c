// Motions, impulses and inertias of rigid bodies about a point, linear and angular together (Featherstone 2008, chapter 2).

// A motion [m], [rad], or an impulse [kg m], [kg m²].
struct Spatial {
    linear: vec3f,
    angular: vec3f,
}

// Impulse per motion: linear L, angular A, and C, the linear impulse per turn.
struct Inertia {
    linear: mat3x3f,
    coupling: mat3x3f,
    angular: mat3x3f,
}

// The matrix of r × .
fn cross_matrix(r: vec3f) -> mat3x3f {
    return mat3x3f(vec3f(0.0, r.z, -r.y), vec3f(-r.z, 0.0, r.x), vec3f(r.y, -r.x, 0.0));
}

// The same about a point further on by r.
fn inertia_at(i: Inertia, r: vec3f) -> Inertia {
    let s = cross_matrix(r);
    let carried = i.linear * s;
    let crossed = s * i.coupling;
    return Inertia(i.linear, carried + i.coupling, i.angular - s * carried - crossed - transpose(crossed));
}

fn impulse_at(p: Spatial, r: vec3f) -> Spatial {
    return Spatial(p.linear, p.angular - cross(r, p.linear));
}

fn motion_at(m: Spatial, r: vec3f) -> Spatial {
    return Spatial(m.linear + cross(m.angular, r), m.angular);
}

fn sum(a: Spatial, b: Spatial) -> Spatial {
    return Spatial(a.linear + b.linear, a.angular + b.angular);
}

fn opposite(s: Spatial) -> Spatial {
    return Spatial(-s.linear, -s.angular);
}

fn inertia_sum(a: Inertia, b: Inertia) -> Inertia {
    return Inertia(a.linear + b.linear, a.coupling + b.coupling, a.angular + b.angular);
}

fn inertia_times_motion(i: Inertia, m: Spatial) -> Spatial {
    return Spatial(i.linear * m.linear + i.coupling * m.angular,
        transpose(i.coupling) * m.linear + i.angular * m.angular);
}

// The motion that an impulse makes, by the Schur complement of the linear part.
fn motion_of(i: Inertia, p: Spatial) -> Spatial {
    let mobility = inverse(i.linear);
    let lever = mobility * i.coupling;
    let turn = inverse(i.angular - transpose(i.coupling) * lever) * (p.angular - transpose(lever) * p.linear);
    return Spatial(mobility * p.linear - lever * turn, turn);
}
