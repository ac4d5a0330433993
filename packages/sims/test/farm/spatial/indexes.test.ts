import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Algorithm, algorithms, spatialIndexes } from "../../../src/farm/spatial/indexes/index.ts";
import type { Points, SpatialIndex } from "../../../src/farm/spatial/spatial-index.ts";

type Place = [x: number, y: number];

/** The answers by definition, written without any code of the family. */
function expectedRange(places: Place[], [x, y]: Place, radius: number): number[] {
  return [...places.keys()].filter((i) => squared(places[i]!, [x, y]) <= radius * radius);
}

function expectedNearest(places: Place[], from: Place, count: number): number[] {
  const order = [...places.keys()].sort(
    (a, b) => squared(places[a]!, from) - squared(places[b]!, from) || a - b,
  );
  return order.slice(0, count);
}

function squared([x, y]: Place, [qx, qy]: Place): number {
  return (x - qx) * (x - qx) + (y - qy) * (y - qy);
}

function pointsOf(places: Place[]): Points {
  return { x: Float64Array.from(places, ([x]) => x), y: Float64Array.from(places, ([, y]) => y) };
}

function rangeOf(index: SpatialIndex, total: number, [x, y]: Place, radius: number): number[] {
  const out = new Uint32Array(total);
  return [...out.subarray(0, index.range(x, y, radius, out))].sort((a, b) => a - b);
}

function nearestOf(index: SpatialIndex, total: number, [x, y]: Place, count: number): number[] {
  const out = new Uint32Array(total);
  return [...out.subarray(0, index.nearest(x, y, count, out))];
}

function expectAnswers(
  index: SpatialIndex,
  places: Place[],
  queries: { at: Place; radius: number; count: number }[],
) {
  for (const { at, radius, count } of queries) {
    expect(rangeOf(index, places.length, at, radius)).toEqual(expectedRange(places, at, radius));
    expect(nearestOf(index, places.length, at, count)).toEqual(expectedNearest(places, at, count));
  }
}

const WORLD = 100;
const anywhere = fc.tuple(
  fc.double({ min: 0, max: WORLD, noNaN: true }),
  fc.double({ min: 0, max: WORLD, noNaN: true }),
);
/** Few distinct places, corners and edges among them: ties, duplicates and exact distances abound. */
const lattice = fc.tuple(
  fc.integer({ min: 0, max: 10 }).map((i) => i * 10),
  fc.integer({ min: 0, max: 10 }).map((i) => i * 10),
);
/** Two tight heaps far apart. */
const clustered = fc
  .tuple(fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([far, x, y]): Place => [x + (far ? 98 : 1), y + (far ? 97 : 1)]);
const onALine = fc.double({ min: 0, max: WORLD, noNaN: true }).map((x): Place => [x, 50]);

const queries = fc.array(
  fc.record({
    // Also from outside of the world.
    at: fc.oneof(
      lattice,
      anywhere,
      anywhere.map(([x, y]): Place => [3 * x - WORLD, 3 * y - WORLD]),
    ) as fc.Arbitrary<Place>,
    radius: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.double({ min: 0, max: 200, noNaN: true })),
    count: fc.integer({ min: 0, max: 12 }),
  }),
  { minLength: 1, maxLength: 8 },
);

const kinds: [string, fc.Arbitrary<Place>][] = [
  ["spread evenly", anywhere as fc.Arbitrary<Place>],
  ["on a lattice, with ties, duplicates and borders", lattice as fc.Arbitrary<Place>],
  ["in two heaps", clustered],
  ["on a line", onALine],
];

describe.each(algorithms)("the index %s", (name: Algorithm) => {
  it.each(kinds)("answers exactly for agents %s, also after moves", (_, place) => {
    const moves = fc.array(
      fc.record({ agent: fc.nat(), to: fc.oneof(place, anywhere as fc.Arbitrary<Place>) }),
      {
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(
        fc.array(place, { maxLength: 150 }),
        queries,
        fc.array(moves, { maxLength: 3 }),
        (first, asked, rounds) => {
          const places = [...first];
          const index = spatialIndexes[name]();
          index.build(pointsOf(places));
          expectAnswers(index, places, asked);
          for (const round of places.length === 0 ? [] : rounds) {
            const moved = new Set<number>();
            for (const { agent, to } of round) {
              places[agent % places.length] = to;
              moved.add(agent % places.length);
            }
            index.update(Uint32Array.from(moved), pointsOf(places));
            expectAnswers(index, places, asked);
          }
        },
      ),
      { numRuns: 60, seed: 6 },
    );
  });

  it("has nothing to find where nobody is", () => {
    const index = spatialIndexes[name]();
    index.build(pointsOf([]));
    index.update(new Uint32Array(0), pointsOf([]));
    expectAnswers(index, [], [{ at: [5, 5], radius: 10, count: 3 }]);
  });

  it("finds whoever stands on the edge of the circle, in spite of rounding", () => {
    // 0.1 + 0.2 is not 0.3: by the definition with squares one of these is inside and a box by x - r may miss it.
    const places: Place[] = [];
    for (let i = 1; i <= 80; i++) places.push([0.1 * i, 0], [1000 - 0.1 * i, 1000], [0, 0.7 * i]);
    const index = spatialIndexes[name]();
    index.build(pointsOf(places));
    const edges = places.map(([x, y], i) => {
      const at: Place = [x / 3, y / 7];
      return { at, radius: Math.sqrt(squared([x, y], at)), count: 1 + (i % 3) };
    });
    expectAnswers(index, places, edges);
  });

  it("keeps its answers when the caller's arrays change without an update", () => {
    const points = pointsOf([
      [1, 1],
      [9, 9],
    ]);
    const index = spatialIndexes[name]();
    index.build(points);
    points.x.fill(50);
    expect(rangeOf(index, 2, [1, 1], 1)).toEqual([0]);
    expect(nearestOf(index, 2, [9, 9], 1)).toEqual([1]);
  });

  it("forgets what was there when it is built again, with fewer or more agents", () => {
    const index = spatialIndexes[name]();
    for (const total of [50, 3, 400]) {
      const places = Array.from({ length: total }, (_, i): Place => [(i * 37) % 101, (i * 53) % 97]);
      index.build(pointsOf(places));
      expectAnswers(index, places, [{ at: [50, 50], radius: 60, count: 5 }]);
    }
  });

  it("grows by a bounded number of bytes an agent", () => {
    const bytesAt = (total: number) => {
      const index = spatialIndexes[name]();
      index.build(
        pointsOf(Array.from({ length: total }, (_, i): Place => [(i * 0.618) % 1, (i * 0.755) % 1])),
      );
      return index.bytes();
    };
    const perAgent = (bytesAt(8000) - bytesAt(4000)) / 4000;
    // Two doubles are the least that a copy of a place takes.
    expect(perAgent).toBeGreaterThanOrEqual(16);
    expect(perAgent).toBeLessThan(400);
  });
});
