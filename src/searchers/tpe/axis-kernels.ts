import { normalQuantile } from "../../stats/distributions/normal-quantile.ts";
import type { Domain } from "../space/domain.ts";
import { roughNormalCdf } from "./rough-normal-cdf.ts";

/** The kernels of a mixture along one axis, one an observation, all of one width. */
export interface AxisKernels {
  /** A place on the unit interval near observation `k`, for a uniform number; or a choice's number. */
  sample(k: number, unit: number): number;
  /** Adds each observation's log density at a value (its code and cell) to `into`. */
  addLogDensity(code: number, cell: readonly [number, number], into: Float64Array): void;
}

/** Normal kernels cut off at 0 and 1. Values that form a lattice have masses, integrated over their cells. */
export function orderedKernels(centres: Float64Array, sd: number, domain: Domain): AxisKernels {
  const lows = centres.map((centre) => roughNormalCdf(-centre / sd));
  const masses = centres.map((centre, k) => roughNormalCdf((1 - centre) / sd) - lows[k]!);
  const logHeight = -Math.log(sd * Math.sqrt(2 * Math.PI));
  // An inactive observation says nothing about this axis: there the prior holds, log 1 (or the cell's mass).
  const places = centres.map((centre) => (Number.isNaN(centre) ? 0 : centre));
  const scales = centres.map((centre) => (Number.isNaN(centre) ? 0 : -0.5 / (sd * sd)));
  const heights = centres.map((centre, k) => (Number.isNaN(centre) ? 0 : logHeight - Math.log(masses[k]!)));
  // One row a value that was asked for: lattices are small, and many observations share a centre.
  const rows = new Map<number, Map<number, number>>();
  return {
    sample(k, unit) {
      const p = lows[k]! + unit * masses[k]!;
      return Math.min(1 - 1e-12, Math.max(1e-12, centres[k]! + sd * normalQuantile(p)));
    },
    addLogDensity(code, [from, to], into) {
      if (domain.isContinuum || to - from < sd / 16) {
        const cell = domain.isContinuum ? 0 : Math.log(to - from);
        for (let k = 0; k < into.length; k++) {
          const away = code - places[k]!;
          into[k] = into[k]! + (scales[k]! * away * away + (cell + heights[k]!));
        }
        return;
      }
      let row = rows.get(code);
      if (!row) {
        row = new Map();
        rows.set(code, row);
      }
      for (let k = 0; k < centres.length; k++) {
        const centre = centres[k]!;
        let value = row.get(centre);
        if (value === undefined) {
          const mass = Number.isNaN(centre)
            ? to - from
            : (roughNormalCdf((to - centre) / sd) - roughNormalCdf((from - centre) / sd)) / masses[k]!;
          value = Math.log(Math.max(mass, 1e-300));
          row.set(centre, value);
        }
        into[k]! += value;
      }
    },
  };
}

/** For choices: the observed one gets most of the weight, the rest is shared out as the prior says. */
export function choiceKernels(centres: Float64Array, leak: number, domain: Domain): AxisKernels {
  const prior = Array.from({ length: domain.size }, (_, i) => {
    const [from, to] = domain.cellOf(domain.nth(i));
    return Math.max(to - from, 1e-9);
  });
  return {
    sample(k, unit) {
      const centre = centres[k]!;
      if (!Number.isNaN(centre) && centre >= 0 && unit >= leak) return centre;
      const rest = Number.isNaN(centre) || centre < 0 ? unit : unit / leak;
      return domain.indexOf(domain.valueAt(rest));
    },
    addLogDensity(code, _cell, into) {
      const other = Math.log(leak * prior[code]!);
      const same = Math.log(1 - leak + leak * prior[code]!);
      const absent = Math.log(prior[code]!);
      for (let k = 0; k < centres.length; k++) {
        const centre = centres[k]!;
        into[k]! += Number.isNaN(centre) || centre < 0 ? absent : centre === code ? same : other;
      }
    },
  };
}
