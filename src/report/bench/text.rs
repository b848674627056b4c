//! The tables as text for a terminal: ours first, then the published figures under them.

use std::fmt::{Result, Write};

use super::budget::SHOWN;
use super::builds::SECONDS_BAR;
use super::liquids::BAR as LIQUID_BAR;
use super::partitions::SAVED_BAR;
use super::{
    Bench, BodyRow, BudgetTable, ClothRun, ConvergenceTable, CurveTable, DIRECTIONS, DispatchRow, Errors,
    HierarchyTable, LiquidTable, PartitionTable, ScaleTable, StiffnessRow, SurfaceTable, SweepTable, TopologyRow,
};
use crate::report::record::unit;

impl Bench {
    /// The tables as text.
    pub fn to_text(&self) -> String {
        let a = &self.adapter;
        let mut text = format!("{} ({}, {}, {})\n", a.name, a.backend, a.kind, a.driver);
        // Writing to a string cannot fail.
        self.bodies.iter().try_for_each(|row| bodies(&mut text, row)).expect("memory");
        self.partitions.iter().try_for_each(|table| partitions(&mut text, table)).expect("memory");
        self.convergence.iter().try_for_each(|table| convergence(&mut text, table)).expect("memory");
        self.budgets.iter().try_for_each(|table| budget(&mut text, table)).expect("memory");
        dispatches(&mut text, &self.dispatches).expect("memory");
        self.sweeps.iter().try_for_each(|table| sweep(&mut text, table)).expect("memory");
        self.curves.iter().try_for_each(|table| curves(&mut text, table)).expect("memory");
        self.hierarchies.iter().try_for_each(|table| hierarchies(&mut text, table)).expect("memory");
        self.surfaces.iter().try_for_each(|table| surfaces(&mut text, table)).expect("memory");
        topologies(&mut text, &self.topologies).expect("memory");
        stiffness(&mut text, &self.stiffness).expect("memory");
        self.liquids.iter().try_for_each(|table| liquids(&mut text, table)).expect("memory");
        self.scales.iter().try_for_each(|table| scales(&mut text, table)).expect("memory");
        self.builds(&mut text).expect("memory");
        text
    }

    fn builds(&self, text: &mut String) -> Result {
        for (i, row) in self.builds.iter().enumerate() {
            if i == 0 {
                writeln!(
                    text,
                    "\nbuild: {} constraints of {} divided on one core; the bar is {SECONDS_BAR} s",
                    row.constraints, row.scene
                )?;
            }
            writeln!(text, "  {:<14}{:>5} colors{:>9.2} s", row.partition, row.colors, row.seconds)?;
        }
        Ok(())
    }
}

fn sweep(text: &mut String, table: &SweepTable) -> Result {
    writeln!(text, "\n{}: {}", table.name, table.figure)?;
    writeln!(
        text,
        "  {} constraints, at most {} on a particle; error {:.3} at the start, then after {} iterations",
        table.constraints, table.largest_clique, table.error_start, table.iterations
    )?;
    let head = ["colors", "copies", "split", "smallest", "largest", "divided s", "error", "apart", "shift", "turn deg"];
    writeln!(text, "  {:<14}{}", "", head.map(|word| format!("{word:>10}")).concat())?;
    for row in &table.rows {
        let [least, most] = row.sizes;
        let counts = [row.colors as usize, row.copies, row.split, least as usize, most as usize];
        let counts = counts.map(|n| format!("{n:>10}")).concat();
        let errors = [row.error, row.apart, row.shift, row.turn].map(|e| format!("{e:>10.2e}")).concat();
        writeln!(text, "  {:<14}{counts}{:>10.2}{errors}", row.partition, row.seconds)?;
    }
    Ok(())
}

fn bodies(text: &mut String, row: &BodyRow) -> Result {
    let (name, frames, substeps) = (row.name, row.frames, row.substeps);
    writeln!(
        text,
        "\n{name}: {} bodies, {} joints, {} particles, {substeps} substeps, {} dispatches, {frames} frames{}",
        row.bodies,
        row.joints,
        row.particles,
        row.dispatches_per_frame,
        health(row.healthy)
    )?;
    let (median, p95, host) = (unit(row.frame_ms, "ms"), unit(row.frame_p95_ms, "ms"), unit(row.host_ms, "ms"));
    writeln!(text, "  {:<44}{median} (p95 {p95}, host {host})", "sinew")?;
    let (mean, most) = (unit(row.gap_mean_mm, "mm"), unit(row.gap_max_mm, "mm"));
    let depth = unit(row.penetration_end_radii, "radii");
    writeln!(text, "  {:<44}gap {mean} mean, {most} max; overlap {depth}", "")?;
    row.published.iter().try_for_each(|other| writeln!(text, "  {:<44}{} ms", other.source, other.frame_ms))
}

fn partitions(text: &mut String, table: &PartitionTable) -> Result {
    let smaller = if table.smaller.is_empty() { String::new() } else { format!(" ({})", table.smaller) };
    let (name, particles, constraints) = (table.name, table.particles, table.constraints);
    writeln!(
        text,
        "\n{name}{smaller}: {particles} particles, {constraints} constraints, {} iterations, {} frames",
        table.iterations, table.frames
    )?;
    let colors = table.colors_by_type.iter().map(|(kind, ours)| match table.published_colors.get(kind) {
        Some(theirs) => format!("{kind} {ours} (paper {theirs})"),
        None => format!("{kind} {ours}"),
    });
    writeln!(
        text,
        "  colors by type: {}, in all {}; merged {}, at least {}; error at the start {:.4}",
        colors.collect::<Vec<_>>().join(", "),
        table.colors_by_type.values().sum::<u32>(),
        table.colors_merged,
        table.largest_clique,
        table.error_start
    )?;
    writeln!(
        text,
        "  {:<14}{:>7}{:>9}{:>12}{:>10}{:>13}{:>14}{:>10}{:>8}{:>10}",
        "", "colors", "copies", "dispatches", "frame ms", "of which", "projections/s", "residual", "error", "build ms"
    )?;
    for row in &table.rows {
        let (frame, constraints) = (number(row.frame_ms), number(row.constraints_ms));
        let dispatches = format!("{}/{}", row.constraint_dispatches, row.dispatches_per_frame);
        writeln!(
            text,
            "  {:<14}{:>7}{:>9}{dispatches:>12}{frame:>10}{constraints:>13}{:>14}{:>10.4}{:>8.4}{:>10.0}{}",
            row.partition,
            row.colors,
            row.copies,
            rate(row.rate),
            row.residual,
            row.left,
            row.build_ms,
            health(row.healthy)
        )?;
    }
    for (name, ms, per_second) in
        [("cpu st", table.cpu_one_ms, table.cpu_one_rate), ("cpu mt", table.cpu_all_ms, table.cpu_all_rate)]
    {
        writeln!(text, "  {name:<14}{:>51}{:>14}", number(ms), rate(per_second))?;
    }
    if let Some(saved) = table.phantom() {
        let (saved, bar) = (100.0 * saved, 100.0 * SAVED_BAR);
        writeln!(text, "  phantom: {saved:.0} % fewer dispatches for constraints (bar {bar:.0} %)")?;
    }
    let what = if table.smaller.is_empty() { "" } else { ", whole scene" };
    table.published.iter().try_for_each(|other| writeln!(text, "  {:<46}{} ms{what}", other.source, other.frame_ms))
}

/// Its name, and what it is.
type Measure = (&'static str, fn(&Errors) -> f64);

fn convergence(text: &mut String, table: &ConvergenceTable) -> Result {
    let smaller = if table.smaller.is_empty() { String::new() } else { format!(" ({})", table.smaller) };
    let (name, particles, constraints) = (table.name, table.particles, table.constraints);
    writeln!(text, "\n{name}{smaller}: {}, k = 1: {particles} particles, {constraints} constraints", table.what)?;
    let measures: [Measure; 4] = [
        ("mean error of lengths", |e| e.stretch_mean),
        ("rms error of lengths", |e| e.stretch_rms),
        ("mean error of volumes", |e| e.volume_mean),
        ("rms error of volumes", |e| e.volume_rms),
    ];
    for (start, (measure, of)) in table.starts.iter().flat_map(|s| measures.map(|m| (s, m))) {
        if start.rows.iter().flat_map(|row| &row.points).all(|point| of(&point.1) == 0.0) {
            continue;
        }
        write!(text, "  {:<44}{:>9}", format!("{}: {measure}", start.what), "ms each")?;
        start.rows.first().iter().flat_map(|row| &row.points).try_for_each(|point| write!(text, "{:>9}", point.0))?;
        for row in &start.rows {
            write!(text, "\n    {:<42}{:>9.3}", row.partition, row.iteration_ms)?;
            row.points.iter().try_for_each(|point| write!(text, "{:>9.4}", of(&point.1)))?;
        }
        writeln!(text)?;
    }
    for start in &table.starts {
        let needed = start.jacobi_iterations.map_or("none, or more than 500".into(), |n| n.to_string());
        let paper = table.published_jacobi.map_or("-".into(), |n| n.to_string());
        writeln!(
            text,
            "  {}: iterations of jacobi to the mean error of {} of colors: {needed} (paper {paper})",
            start.what, table.iterations
        )?;
    }
    writeln!(
        text,
        "  after {} iterations, mean/rms of lengths and of volumes: start, colors, jacobi",
        table.iterations
    )?;
    table.causes.iter().try_for_each(|row| {
        write!(text, "    {:<36}", row.what)?;
        for e in [row.start, row.colors, row.jacobi] {
            let volumes = format!("{:.3}/{:.3}", e.volume_mean, e.volume_rms);
            write!(text, "{:>9.3}/{:<7.3}{volumes:>15}", e.stretch_mean, e.stretch_rms)?;
        }
        writeln!(text)
    })
}

fn budget(text: &mut String, table: &BudgetTable) -> Result {
    let (name, particles, constraints) = (table.name, table.particles, table.constraints);
    writeln!(
        text,
        "\n{name}: a cube lands (paper 1, figs. 4 and 5): {particles} particles, {constraints} constraints; mean errors of lengths / \
         volumes, and height over that at rest; last, Jacobi with as many iterations as take as long as colors"
    )?;
    write!(text, "  {:<14}{:>10}{:>17}{:>14}", "iterations", "frame ms", "largest, mean", "least height")?;
    SHOWN.iter().try_for_each(|frame| write!(text, "{:>15}", format!("frame {frame}")))?;
    for row in &table.rows {
        let errors = format!("{:.4}, {:.4}", row.worst(), row.mean());
        write!(text, "\n  {:<14}{:>10.2}{errors:>17}{:>14.3}", row.name, row.frame_ms, row.least_height())?;
        for point in SHOWN.iter().filter_map(|frame| row.points.get(*frame as usize - 1)) {
            let errors = format!("{:.4}/{:.4}", point.errors.stretch_mean, point.errors.volume_mean);
            write!(text, "{errors:>15}")?;
        }
        write!(text, "{}\n  {:<55}", health(row.healthy), "")?;
        let heights = SHOWN.iter().filter_map(|frame| row.points.get(*frame as usize - 1));
        heights.into_iter().try_for_each(|point| write!(text, "{:>15.3}", point.height))?;
    }
    writeln!(text)
}

fn dispatches(text: &mut String, rows: &[DispatchRow]) -> Result {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(
        text,
        "\ndispatches: rings of s2 without contacts, a frame (paper 3, table 1: 1.7 to 2.2 ms with 344 calls, 3.7 to 4.0 with 688, 5.3 \
         to 13.0 with 1032, GTX 660)"
    )?;
    let head = ["constraints", "colors", "parts", "iterations", "dispatches", "frame ms", "of which"];
    writeln!(text, "  {}", head.map(|word| format!("{word:>12}")).concat())?;
    rows.iter().try_for_each(|row| {
        let counts = [row.constraints as u32, row.colors, row.parts, row.iterations, row.dispatches];
        let times = [row.frame_ms, row.constraints_ms].map(|ms| format!("{:>12}", number(ms))).concat();
        writeln!(text, "  {}{times}{}", counts.map(|n| format!("{n:>12}")).concat(), health(row.healthy))
    })
}

fn curves(text: &mut String, table: &CurveTable) -> Result {
    writeln!(text, "\n{}: {}; error at the start {:.3}", table.name, table.figure, table.residual_start)?;
    write!(text, "  {:<14}{:>13}", "iterations", "ms each")?;
    let longest = table.curves.iter().max_by_key(|c| c.points.len());
    longest.iter().flat_map(|c| &c.points).try_for_each(|point| write!(text, "{:>9}", point.0))?;
    for curve in &table.curves {
        write!(text, "\n  {:<14}{:>13.3}", curve.name, curve.iteration_ms)?;
        curve.points.iter().try_for_each(|point| write!(text, "{:>9.4}", point.2))?;
    }
    writeln!(text, "\n  after {:.1} ms on the GPU, least error first: {}", table.equal_ms, table.order.join(", "))?;
    let said = |holds: bool| if holds { "as published" } else { "NOT as published" };
    writeln!(
        text,
        "  colors and phantom before jacobi: {}; phantom before colors: {}",
        said(table.jacobi_behind),
        said(table.phantom_first)
    )?;
    table.reasons().iter().try_for_each(|reason| writeln!(text, "  {reason}"))
}

fn hierarchies(text: &mut String, table: &HierarchyTable) -> Result {
    let (name, particles, constraints, frames) = (table.name, table.particles, table.constraints, table.frames);
    writeln!(text, "\n{name}: {}; {particles} particles, {constraints} constraints, 8 substeps", table.what)?;
    writeln!(
        text,
        "  stretch of lengths, and how far the end is below {:.6} m, after 1 frame and after {frames}",
        table.exact
    )?;
    let head = ["mean", "rms", "most", "sag m", "mean", "rms", "most", "sag m"];
    writeln!(
        text,
        "  {:>6}{:>11}{:>10}{}",
        "levels",
        "iterations",
        "frame ms",
        head.map(|w| format!("{w:>10}")).concat()
    )?;
    for row in &table.rows {
        let numbers = [row.first, row.last].map(|s| [s.mean, s.rms, s.most, s.sag]).concat();
        let numbers: String = numbers.iter().map(|n| format!("{n:>10.2e}")).collect();
        let (levels, iterations) = (row.levels, row.iterations);
        writeln!(text, "  {levels:>6}{iterations:>11}{:>10.2}{numbers}{}", row.frame_ms, health(row.healthy))?;
    }
    writeln!(text, "  {}", table.says())
}

fn surfaces(text: &mut String, table: &SurfaceTable) -> Result {
    writeln!(text, "\n{}: {} (paper 4), {} frames of flamenco [ms]", table.name, table.figure, table.frames)?;
    writeln!(
        text,
        "  {:>6}{:>8}{:>13}{:>10}{:>10}{:>10}{:>13}{:>10}{:>11}",
        "side", "cells", "constraints", "frame", "search", "surfaces", "constraints", "others", "crossings"
    )?;
    table.rows.iter().try_for_each(|row| {
        let times = [row.search_ms, row.surfaces_ms, row.constraints_ms, row.other_ms].map(number);
        let crossings = row.crossings.map_or("-".into(), |n| n.to_string());
        writeln!(
            text,
            "  {:>6}{:>8}{:>13}{:>10}{:>10}{:>10}{:>13}{:>10}{crossings:>11}{}",
            row.side,
            if row.cell_scale > 0.0 { row.cell_scale.to_string() } else { "none".into() },
            row.constraints,
            number(row.frame_ms),
            times[0],
            times[1],
            times[2],
            times[3],
            health(row.healthy)
        )
    })
}

fn topologies(text: &mut String, rows: &[TopologyRow]) -> Result {
    let Some(first) = rows.first() else { return Ok(()) };
    writeln!(
        text,
        "\ncloth-topology: energy by direction over its mean, and {} frames of flamenco (paper 4)",
        first.run.frames
    )?;
    writeln!(text, "  {:<10}{:<9}{}", "", "", DIRECTIONS.map(|degrees| format!("{degrees:>7}°")).concat())?;
    for row in rows {
        for (name, over) in [("stretch", row.stretch), ("shear", row.shear), ("bend", row.bend)] {
            writeln!(text, "  {:<10}{name:<9}{}", row.topology, over.map(|part| format!("{part:>8.3}")).concat())?;
        }
        cloth_run(text, &row.run)?;
    }
    Ok(())
}

fn stiffness(text: &mut String, rows: &[StiffnessRow]) -> Result {
    let Some(first) = rows.first() else { return Ok(()) };
    writeln!(text, "\ncloth-stiffness: k of lengths and of bends, {} frames of flamenco (paper 4)", first.run.frames)?;
    rows.iter().try_for_each(|row| {
        writeln!(text, "  {} and {}", row.distance, row.bend)?;
        cloth_run(text, &row.run)
    })
}

fn cloth_run(text: &mut String, run: &ClothRun) -> Result {
    writeln!(
        text,
        "    {} constraints in {} colors, frame {} ms, constraints {} ms; stretch {} rms, neighbors at {:.1}°{}",
        run.constraints,
        run.colors,
        number(run.frame_ms),
        number(run.constraints_ms),
        unit(run.stretch_rms.map(|rms| 100.0 * rms), "%"),
        run.fold,
        health(run.healthy)
    )
}

fn liquids(text: &mut String, table: &LiquidTable) -> Result {
    let (name, frames, substeps) = (table.name, table.frames, table.substeps);
    writeln!(text, "\n{name}: {}, {frames} frames of dam with {substeps} substeps", table.figure)?;
    writeln!(
        text,
        "  {:>10}{:>15}{:>10}{:>10}{:>13}{:>8}{:>14}",
        "particles", "search", "a frame", "frame ms", "ns/particle", "ratio", "compression"
    )?;
    for row in &table.rows {
        writeln!(
            text,
            "  {:>10}{:>15}{:>10.2}{:>10.1}{:>13.0}{:>8.2}{:>12.2} %{}",
            row.particles,
            row.search,
            row.searches,
            row.frame_ms,
            row.particle_ns,
            row.over_first,
            100.0 * row.density_error_mean,
            health(row.healthy)
        )?;
    }
    table.left_out.iter().try_for_each(|reason| writeln!(text, "  no room for {reason}"))?;
    if let Some((most, holds)) = table.growth() {
        let said = if holds { "holds" } else { "does NOT hold" };
        writeln!(
            text,
            "  the most a particle costs is {most:.2} times what it does in the first run (bar {}: {said})",
            LIQUID_BAR
        )?;
    }
    Ok(())
}

fn scales(text: &mut String, table: &ScaleTable) -> Result {
    let (name, frames, untimed) = (table.name, table.frames, table.untimed);
    writeln!(text, "\n{name}: {}, {frames} frames after {untimed}", table.figure)?;
    writeln!(
        text,
        "  {:>10}{:>13}{:>10}{:>13}{:>16}{:>12}",
        "particles", "constraints", "frame ms", "ns/particle", "bytes/particle", "dispatches"
    )?;
    table.rows.iter().try_for_each(|row| {
        let fault = row.fault.as_ref().map(|fault| format!("  {fault}")).unwrap_or_default();
        let Some(particles) = row.particles else { return writeln!(text, "  {:>10}{fault}", row.asked) };
        writeln!(
            text,
            "  {particles:>10}{:>13}{:>10}{:>13.0}{:>16.0}{:>12}{fault}",
            row.constraints.unwrap_or(0),
            number(row.frame_ms),
            row.particle_ns.unwrap_or(0.0),
            row.bytes_per_particle.unwrap_or(0.0),
            row.dispatches_per_frame.unwrap_or(0)
        )
    })?;
    table.left_out().iter().try_for_each(|reason| writeln!(text, "  {reason}"))
}

impl CurveTable {
    /// Why the order differs from the published one, where it does: errors after the same iterations, and the time of one.
    fn reasons(&self) -> Vec<String> {
        let of = |name: &str| self.curves.iter().find(|c| c.name.starts_with(name));
        let (Some(colors), Some(phantom), Some(jacobi)) = (of("colors"), of("phantom"), of("jacobi")) else {
            return Vec::new();
        };
        let mut reasons = Vec::new();
        for (other, holds) in [(phantom, self.phantom_first), (jacobi, self.jacobi_behind)] {
            if !holds {
                let time = other.iteration_ms / colors.iteration_ms;
                let error = other.points.last().map_or(0.0, |p| p.2) / colors.points.last().map_or(1.0, |p| p.2);
                let name = &other.name;
                reasons.push(format!("an iteration of {name} takes {time:.2} times that of colors, and after the same iterations the error is {error:.2} times"));
            }
        }
        reasons
    }
}

fn health(healthy: bool) -> &'static str {
    if healthy { "" } else { "  NOT HEALTHY" }
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".into(), |v| format!("{v:.2}"))
}

/// Per second, in millions.
fn rate(value: Option<f64>) -> String {
    value.map_or("-".into(), |v| format!("{:.1} M", v * 1e-6))
}
