import type { Params } from "../../../core/params.ts";
import { normalCdf, normalDensity, normalQuantile } from "../../../stats/distributions/normal.ts";
import type { CompiledSpace } from "../../space/compile-space.ts";
import { encodePoint, pointAt, pointKey } from "../../space/points.ts";

interface Candidate {
  units: Float64Array;
  point: Params;
  score: number;
}

export interface AcquisitionOptions {
  score(code: Float64Array): number;
  /** Good points to look around, best first. */
  anchors: readonly Params[];
  /** The length on each axis along which the model changes. */
  lengths: Float64Array;
  random(): number;
  seen: ReadonlySet<string>;
}

const GLOBAL = 100;
const AROUND = 24;
const CLIMBS = 3;
const CLIMB_STEPS = 60;

/**
 * The point with the highest score that is not in `seen`: random points everywhere and around the anchors, then the
 * best of them climb by random steps that widen after a gain and narrow after a loss.
 */
export function maximiseAcquisition(space: CompiledSpace, options: AcquisitionOptions): Params | undefined {
  const { score, anchors, lengths, random, seen } = options;
  const evaluate = (units: Float64Array): Candidate | undefined => {
    const point = pointAt(space, units);
    return point && { units, point, score: score(encodePoint(space, point)) };
  };
  const found: Candidate[] = [];
  const add = (units: Float64Array) => {
    const candidate = evaluate(units);
    if (candidate) found.push(candidate);
  };
  const step = makeStep(space, lengths, random);
  for (let i = 0; i < GLOBAL; i++) add(Float64Array.from(space.axes, () => random()));
  for (const anchor of anchors) {
    const units = unitsOf(space, anchor, random);
    for (let i = 0; i < AROUND; i++) add(step(units, 0.5 * 0.1 ** ((i % 4) * 0.75)));
  }
  found.sort((a, b) => b.score - a.score);
  for (const start of found.slice(0, CLIMBS)) {
    let at = start;
    let reach = 0.1;
    for (let i = 0; i < CLIMB_STEPS && reach > 1e-6; i++) {
      const next = evaluate(step(at.units, reach));
      const isGain = next !== undefined && next.score > at.score;
      reach *= isGain ? 1.6 : 0.85;
      if (isGain) at = next;
    }
    if (at !== start) found.push(at);
  }
  found.sort((a, b) => b.score - a.score);
  return found.find(({ point }) => !seen.has(pointKey(point)))?.point;
}

/** A point moved at random: some axes, at least one, by normal steps; a choice by another draw. */
function makeStep(space: CompiledSpace, lengths: Float64Array, random: () => number) {
  const d = space.axes.length;
  const share = Math.max(2 / d, 0.4);
  return (units: Float64Array, reach: number): Float64Array => {
    const moved = units.slice();
    const sure = Math.floor(random() * d);
    for (let i = 0; i < d; i++) {
      if (i !== sure && random() > share) continue;
      const { domain } = space.axes[i]!;
      if (!domain.ordered) {
        if (i === sure || random() < 0.3) moved[i] = random();
        continue;
      }
      let width = reach * Math.min(1, lengths[i]!);
      // A step on a lattice that is shorter than a cell would lead nowhere.
      if (!domain.isContinuum && Number.isFinite(domain.size)) width = Math.max(width, 0.7 / domain.size);
      moved[i] = fold(moved[i]! + width * normalQuantile(random()));
    }
    return moved;
  };
}

function unitsOf(space: CompiledSpace, point: Params, random: () => number): Float64Array {
  return Float64Array.from(space.axes, ({ name, domain }) => {
    const value = point[name];
    if (value === undefined) return random();
    const [from, to] = domain.cellOf(value);
    return (from + to) / 2;
  });
}

function fold(unit: number): number {
  return Math.min(1, Math.max(0, unit));
}

const LOG_ROOT_2PI = 0.9189385332046727;

/**
 * The logarithm of E max(0, best − X) for X normal: how much a point is expected to improve on `best`. As a logarithm
 * it still tells points apart where the improvement itself underflows.
 * Source: S. Ament et al., "Unexpected improvements to expected improvement", NeurIPS 36 (2023).
 */
export function logExpectedImprovement(best: number, mean: number, variance: number): number {
  const sd = Math.sqrt(variance);
  const z = (best - mean) / sd;
  if (z > -1) return Math.log(sd) + Math.log(normalDensity(z) + z * normalCdf(z));
  const logDensity = -0.5 * z * z - LOG_ROOT_2PI;
  const zz = z * z;
  // Below −10 the two terms cancel; there φ(z) + z Φ(z) = φ(z) (1/z² − 3/z⁴ + 15/z⁶ − ...), DLMF 7.12.1.
  const share =
    z > -10
      ? 1 + (z * normalCdf(z)) / normalDensity(z)
      : (1 - (3 - (15 - (105 - 945 / zz) / zz) / zz) / zz) / zz;
  return Math.log(sd) + logDensity + Math.log(share);
}
