import type { Params } from "../../src/core/params.ts";
import type { Distribution, SpaceParameter } from "../../src/core/space.ts";

/** A function with a known least value. The same stand in optuna-rival.py. */
export interface TestFunction {
  space: SpaceParameter[];
  least: number;
  noise: number;
  at(params: Params): number;
}

type Axis = [name: string, distribution: Distribution, when?: string];

function spaceOf(axes: Axis[]): SpaceParameter[] {
  return axes.map(([name, distribution, when]) => ({
    name,
    path: [name],
    distribution,
    ...(when && { when }),
  }));
}

function uniform(min: number, max: number): Distribution {
  return { kind: "uniform", min, max, scale: "linear" };
}

function cube(min: number, max: number, count: number): SpaceParameter[] {
  return spaceOf(Array.from({ length: count }, (_, i) => [`x${i}`, uniform(min, max)]));
}

function coordinates(params: Params, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Number(params[`x${i}`]));
}

/** L. C. W. Dixon and G. P. Szegö, Towards Global Optimisation 2 (1978). */
function hartmann(a: number[][], p: number[][], x: number[]): number {
  let sum = 0;
  [1, 1.2, 3, 3.2].forEach((c, i) => {
    sum += c * Math.exp(-x.reduce((s, v, j) => s + a[i]![j]! * (v - p[i]![j]! / 1e4) ** 2, 0));
  });
  return -sum;
}

const H3A = [
  [3, 10, 30],
  [0.1, 10, 35],
  [3, 10, 30],
  [0.1, 10, 35],
];
const H3P = [
  [3689, 1170, 2673],
  [4699, 4387, 7470],
  [1091, 8732, 5547],
  [381, 5743, 8828],
];
const H6A = [
  [10, 3, 17, 3.5, 1.7, 8],
  [0.05, 10, 17, 0.1, 8, 14],
  [3, 3.5, 1.7, 10, 17, 8],
  [17, 8, 0.05, 10, 0.1, 14],
];
const H6P = [
  [1312, 1696, 5569, 124, 8283, 5886],
  [2329, 4135, 8307, 3736, 1004, 9991],
  [2348, 1451, 3522, 2883, 3047, 6650],
  [4047, 8828, 8732, 5743, 1091, 381],
];

function branin(params: Params): number {
  const [x, y] = coordinates(params, 2) as [number, number];
  const bend = y - (5.1 / (4 * Math.PI ** 2)) * x * x + (5 / Math.PI) * x - 6;
  return bend * bend + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10;
}

function rosenbrock(params: Params): number {
  const x = coordinates(params, 4);
  let sum = 0;
  for (let i = 0; i < 3; i++) sum += 100 * (x[i + 1]! - x[i]! ** 2) ** 2 + (1 - x[i]!) ** 2;
  return sum;
}

function ackley(params: Params): number {
  const x = coordinates(params, 5);
  const squares = x.reduce((sum, v) => sum + v * v, 0) / 5;
  const waves = x.reduce((sum, v) => sum + Math.cos(2 * Math.PI * v), 0) / 5;
  return -20 * Math.exp(-0.2 * Math.sqrt(squares)) - Math.exp(waves) + 20 + Math.E;
}

/** Three kinds, each with parameters of its own: logarithmic, integer, quantised and plain ones. */
const MIXED: Axis[] = [
  ["kind", { kind: "categorical", values: ["linear", "trees", "wave"] }],
  ["decay", { kind: "uniform", min: 1e-4, max: 1, scale: "log" }],
  ["flag", { kind: "categorical", values: [true, false] }],
  ["rate", { kind: "uniform", min: 1e-5, max: 1, scale: "log" }, "kind == 'linear'"],
  ["momentum", uniform(0, 1), "kind == 'linear'"],
  ["depth", { kind: "integer", min: 2, max: 16, scale: "linear", step: 1 }, "kind == 'trees'"],
  ["share", { kind: "uniform", min: 0.1, max: 1, scale: "linear", step: 0.05 }, "kind == 'trees'"],
  ["pace", uniform(0, 10), "kind == 'wave'"],
];

function mixed(params: Params): number {
  const number = (name: string) => Number(params[name]);
  const value = 0.1 * (Math.log10(number("decay")) + 2.5) ** 2 + (params.flag ? 0 : 0.05);
  if (params.kind === "linear") {
    return value + 0.15 + 0.2 * (Math.log10(number("rate")) + 2) ** 2 + (number("momentum") - 0.9) ** 2;
  }
  if (params.kind === "trees") {
    return value + 0.1 + ((number("depth") - 9) / 4) ** 2 + 2 * (number("share") - 0.7) ** 2;
  }
  return value + 0.12 + 0.5 * (1 - Math.cos(number("pace") - 3));
}

export const FUNCTIONS: Record<string, TestFunction> = {
  branin: {
    space: spaceOf([
      ["x0", uniform(-5, 10)],
      ["x1", uniform(0, 15)],
    ]),
    least: 0.39788735772973816,
    noise: 0,
    at: branin,
  },
  hartmann6: {
    space: cube(0, 1, 6),
    least: -3.32236801141551,
    noise: 0,
    at: (params) => hartmann(H6A, H6P, coordinates(params, 6)),
  },
  rosenbrock4: { space: cube(-5, 10, 4), least: 0, noise: 0, at: rosenbrock },
  ackley5: { space: cube(-15, 30, 5), least: 0, noise: 0, at: ackley },
  mixed: { space: spaceOf(MIXED), least: 0.1, noise: 0, at: mixed },
  noisy: {
    space: cube(0, 1, 3),
    least: -3.86278214782076,
    noise: 0.3,
    at: (params) => hartmann(H3A, H3P, coordinates(params, 3)),
  },
};
