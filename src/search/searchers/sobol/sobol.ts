import * as z from "zod";
import type { Params } from "../../../core/params.ts";
import { RandomStream } from "../../../core/random.ts";
import { compileSpace } from "../../space/compile-space.ts";
import { defaultPoint, drawPoint, keysOf, pointAt, pointKey, takeUnseen } from "../../space/points.ts";
import type { History, Problem, Searcher } from "../searcher.ts";

/**
 * For the second and all further dimensions: a primitive polynomial over GF(2), its coefficients as bits, and the
 * first direction numbers, which were chosen so that projections on two dimensions are as even as can be.
 * Source: S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci.
 * Comput. 30 (2008), 2635-2654, the table new-joe-kuo-6.21201.
 */
// biome-ignore format: one dimension a line
const JOE_KUO: readonly (readonly number[])[] = [
  [3, 1],
  [7, 1, 3],
  [11, 1, 3, 1],
  [13, 1, 1, 1],
  [19, 1, 1, 3, 3],
  [25, 1, 3, 5, 13],
  [37, 1, 1, 5, 5, 17],
  [41, 1, 1, 5, 5, 5],
  [47, 1, 1, 7, 11, 19],
  [55, 1, 1, 5, 1, 1],
  [59, 1, 1, 1, 3, 11],
  [61, 1, 3, 5, 5, 31],
  [67, 1, 3, 3, 9, 7, 49],
  [91, 1, 1, 1, 15, 21, 21],
  [97, 1, 3, 1, 13, 27, 49],
  [103, 1, 1, 1, 15, 7, 5],
  [109, 1, 3, 1, 15, 13, 25],
  [115, 1, 1, 5, 5, 19, 61],
  [131, 1, 3, 7, 11, 23, 15, 103],
  [137, 1, 3, 7, 13, 13, 15, 69],
  [143, 1, 1, 3, 13, 7, 35, 63],
  [145, 1, 3, 5, 9, 1, 25, 53],
  [157, 1, 3, 1, 13, 9, 35, 107],
  [167, 1, 3, 1, 5, 27, 61, 31],
  [171, 1, 1, 5, 11, 19, 41, 61],
  [185, 1, 3, 5, 3, 3, 13, 69],
  [191, 1, 1, 7, 13, 1, 19, 1],
  [193, 1, 3, 7, 5, 13, 19, 59],
  [203, 1, 1, 3, 9, 25, 29, 41],
  [211, 1, 3, 5, 13, 23, 1, 55],
  [213, 1, 3, 7, 3, 13, 59, 17],
  [229, 1, 3, 1, 3, 5, 53, 69],
  [239, 1, 1, 5, 5, 23, 33, 13],
  [241, 1, 1, 7, 7, 1, 61, 123],
  [247, 1, 1, 7, 9, 13, 61, 49],
  [253, 1, 3, 3, 5, 3, 55, 33],
  [285, 1, 3, 1, 15, 31, 13, 49, 245],
  [299, 1, 3, 5, 15, 31, 59, 63, 97],
  [301, 1, 3, 1, 11, 11, 11, 77, 249],
  [333, 1, 3, 1, 11, 27, 43, 71, 9],
  [351, 1, 1, 7, 15, 21, 11, 81, 45],
  [355, 1, 3, 7, 3, 25, 31, 65, 79],
  [357, 1, 3, 1, 1, 19, 11, 3, 205],
  [361, 1, 1, 5, 9, 19, 21, 29, 157],
  [369, 1, 3, 7, 11, 1, 33, 89, 185],
  [391, 1, 3, 3, 3, 15, 9, 79, 71],
  [397, 1, 3, 7, 11, 15, 39, 119, 27],
  [425, 1, 1, 3, 1, 11, 31, 97, 225],
  [451, 1, 1, 1, 3, 23, 43, 57, 177],
  [463, 1, 3, 7, 7, 17, 17, 37, 71],
  [487, 1, 3, 1, 5, 27, 63, 123, 213],
  [501, 1, 1, 3, 5, 11, 43, 53, 133],
  [529, 1, 3, 5, 5, 29, 17, 47, 173, 479],
  [539, 1, 3, 3, 11, 3, 1, 109, 9, 69],
  [545, 1, 1, 1, 5, 17, 39, 23, 5, 343],
  [557, 1, 3, 1, 5, 25, 15, 31, 103, 499],
  [563, 1, 1, 1, 11, 11, 17, 63, 105, 183],
  [601, 1, 1, 5, 11, 9, 29, 97, 231, 363],
  [607, 1, 1, 5, 15, 19, 45, 41, 7, 383],
  [617, 1, 3, 7, 7, 31, 19, 83, 137, 221],
  [623, 1, 1, 1, 3, 23, 15, 111, 223, 83],
  [631, 1, 1, 5, 13, 31, 15, 55, 25, 161],
  [637, 1, 1, 3, 13, 25, 47, 39, 87, 257],
];

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
