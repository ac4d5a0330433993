import type { Value } from "../../core/params.ts";
import type { Domain } from "./domain.ts";
import type { Warp } from "./warp.ts";

/** The multiples of `step` away from `anchor` that lie between two bounds (which may be infinite). */
export interface Lattice {
  step: number;
  anchor: number;
  min: number;
  max: number;
}

/** Numbers between bounds: all of them, or those of a lattice. */
export function numbers(warp: Warp, lattice?: Lattice): Domain {
  return lattice ? latticeNumbers(warp, lattice) : continuum(warp);
}

function continuum(warp: Warp): Domain {
  return {
    size: Number.POSITIVE_INFINITY,
    isContinuum: true,
    ordered: true,
    valueAt: (unit) => warp.fromUnit(unit),
    cellOf(value) {
      const unit = clamp(warp.toUnit(Number(value)));
      return [unit, unit];
    },
    nth: () => null,
    indexOf: () => -1,
  };
}

/** A number belongs to the nearest multiple: its cell reaches half a step to both sides. */
function latticeNumbers(warp: Warp, { step, anchor, min, max }: Lattice): Domain {
  const first = Math.ceil((min - anchor) / step - 1e-9);
  const last = Math.floor((max - anchor) / step + 1e-9);
  const at = (k: number) => tidy(anchor + k * step);
  const isFalling = warp.fromUnit(0.25) > warp.fromUnit(0.75);
  const nearest = (x: number) => Math.min(last, Math.max(first, Math.round((x - anchor) / step)));
  return {
    size: last - first + 1,
    isContinuum: false,
    ordered: true,
    valueAt: (unit) => at(nearest(warp.fromUnit(unit))),
    cellOf(value: Value) {
      const k = nearest(Number(value));
      const a = k === first ? undefined : clamp(warp.toUnit(anchor + (k - 0.5) * step));
      const b = k === last ? undefined : clamp(warp.toUnit(anchor + (k + 0.5) * step));
      return isFalling ? [b ?? 0, a ?? 1] : [a ?? 0, b ?? 1];
    },
    nth: (i) => at(first + i),
    indexOf(value) {
      const k = nearest(Number(value));
      return typeof value === "number" && Math.abs(at(k) - value) <= 1e-9 * step ? k - first : -1;
    },
  };
}

/** 0.3, where three times 0.1 gives a last digit that nobody meant. */
function tidy(x: number): number {
  return Number.isInteger(x) ? x + 0 : Number(x.toPrecision(15));
}

function clamp(unit: number): number {
  return Math.min(1, Math.max(0, unit));
}
