import * as z from "zod";
import type { Params } from "../../../core/params.ts";
import { RandomStream } from "../../../core/random.ts";
import { compileSpace } from "../../space/compile-space.ts";
import { defaultPoint, drawPoint, keysOf, pointAt, pointKey, takeUnseen } from "../../space/points.ts";
import type { History, Problem, Searcher } from "../searcher.ts";
import { JOE_KUO } from "./joe-kuo.ts";

/** So many points in a row that are excluded or were there before: then what is left is drawn at random. */
const MOST_MISSES = 1000;

/** A Sobol sequence, scrambled by the seed: fills the space more evenly than chance. */
export const sobol: Searcher = {
  name: "sobol",
  description: "a scrambled Sobol sequence: fills the space more evenly than random draws",
  options: z.strictObject({}),
  ask: (history, count, problem) => takeUnseen(sobolPoints(problem), history, count),
  points: sobolPoints,
};

/** The points of the sequence that are in the space, each once. */
function* sobolPoints(problem: Problem): Generator<Params> {
  const space = compileSpace(problem);
  const keys = new RandomStream(problem.seed, "search/sobol");
  const rest = new RandomStream(problem.seed, "search/sobol/rest");
  const units = new Float64Array(space.axes.length);
  const scrambles = units.map((_, i) => Math.floor(keys.uniform(i) * 2 ** 32));
  const isEndless = space.axes.some(({ domain, when }) => !when && domain.isContinuum);
  const seen = new Set<string>();
  for (let index = 0, misses = 0; misses < MOST_MISSES; index++) {
    for (let i = 0; i < units.length; i++) {
      units[i] = i < SOBOL_DIMENSIONS ? scrambledSobol(index, i, scrambles[i]!) : rest.uniform(index, i);
    }
    const point = pointAt(space, units);
    misses++;
    if (!point || (!isEndless && seen.has(pointKey(point)))) continue;
    misses = 0;
    yield point;
    if (!isEndless) seen.add(pointKey(point));
  }
  for (let index = 0; ; index++) {
    const point = drawPoint(space, { stream: rest, index, seen });
    if (!point) return;
    yield point;
    seen.add(pointKey(point));
  }
}

const BITS = 32;
/** Dimensions that the table serves. */
export const SOBOL_DIMENSIONS = JOE_KUO.length + 1;

const directions: Uint32Array[] = [];

/** The coordinate of a Sobol point as 32 bits: index from 0, in the order of the Gray code; dimension from 0. */
export function sobolBits(index: number, dimension: number): number {
  directions[dimension] ??= makeDirections(dimension);
  const numbers = directions[dimension]!;
  let bits = 0;
  for (let gray = (index ^ (index >>> 1)) >>> 0, i = 0; gray > 0; gray >>>= 1, i++) {
    if (gray & 1) bits ^= numbers[i]!;
  }
  return bits >>> 0;
}

/**
 * The same coordinate in (0, 1), scrambled in Owen's way: each bit is flipped or not by a hash of the bits above it,
 * so every scrambling is as even as the sequence, and its points are uniform each by itself.
 * Sources: A. B. Owen, J. Complexity 14 (1998), 466-489; S. Laine and T. Karras, Comput. Graph. Forum 30 (2011), for
 * a hash of which every bit depends on the lower ones only (here on reversed bits).
 */
export function scrambledSobol(index: number, dimension: number, key: number): number {
  return (reverse(hashUp(reverse(sobolBits(index, dimension)), key)) + 0.5) / 2 ** BITS;
}

function makeDirections(dimension: number): Uint32Array {
  const numbers = new Uint32Array(BITS);
  if (dimension === 0) return numbers.map((_, i) => 2 ** (BITS - 1 - i));
  const [polynomial, ...first] = JOE_KUO[dimension - 1]!;
  const degree = first.length;
  for (let i = 0; i < BITS; i++) {
    if (i < degree) {
      numbers[i] = first[i]! * 2 ** (BITS - 1 - i);
      continue;
    }
    let number = numbers[i - degree]! ^ (numbers[i - degree]! >>> degree);
    for (let k = 1; k < degree; k++) if ((polynomial! >>> (degree - k)) & 1) number ^= numbers[i - k]!;
    numbers[i] = number;
  }
  return numbers;
}

/** Multiplying by even numbers and adding moves information upwards only. */
function hashUp(bits: number, key: number): number {
  let x = (bits + key) >>> 0;
  x ^= Math.imul(x, 0x6c50b47c);
  x ^= Math.imul(x, 0xb82f1e52);
  x ^= Math.imul(x, 0xc7afe638);
  x ^= Math.imul(x, 0x8d22f6e6);
  return x >>> 0;
}

function reverse(bits: number): number {
  let x = bits;
  x = ((x >>> 1) & 0x55555555) | ((x & 0x55555555) << 1);
  x = ((x >>> 2) & 0x33333333) | ((x & 0x33333333) << 2);
  x = ((x >>> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4);
  x = ((x >>> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8);
  return ((x >>> 16) | (x << 16)) >>> 0;
}

/** What comes before there is a model: the point of all defaults, then Sobol points until `count` points are there. */
export function startPoint(history: History, problem: Problem, count: number): Params | undefined {
  const first = history.length === 0 ? defaultPoint(compileSpace(problem)) : undefined;
  if (first) return first;
  if (history.length >= Math.max(1, count)) return undefined;
  const seen = keysOf(history);
  for (const point of sobolPoints(problem)) if (!seen.has(pointKey(point))) return point;
  return undefined;
}
