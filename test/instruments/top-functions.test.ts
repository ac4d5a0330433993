import { expect, test } from "vitest";
import { topFunctions } from "../../src/instruments/cpu-profile.ts";

const frame = (functionName: string) => ({ functionName, url: "file:///a.js", lineNumber: 9 });

test("functions are listed by self and by total time, and recursion counts once", () => {
  // main -> f -> f -> g; samples in f, inner f, g, g, main, main, each worth 1 ms until the next.
  const profile = {
    nodes: [
      { id: 1, callFrame: { ...frame("(root)"), url: "" }, children: [2] },
      { id: 2, callFrame: frame("main"), children: [3] },
      { id: 3, callFrame: frame("f"), children: [4] },
      { id: 4, callFrame: frame("f"), children: [5] },
      { id: 5, callFrame: frame("g") },
    ],
    startTime: 0,
    endTime: 6000,
    samples: [3, 4, 5, 5, 2, 2],
    timeDeltas: [500, 1000, 1000, 1000, 1000, 1000],
  };
  const { by_self, by_total } = topFunctions(profile, 10);
  expect(by_total.map((entry) => [entry.function, entry.total_ms, entry.self_ms, entry.hits])).toEqual([
    ["main", 5, 1, 2],
    ["f", 4, 2, 2],
    ["g", 2, 2, 2],
  ]);
  expect(by_self.map((entry) => entry.self_ms)).toEqual([2, 2, 1]);
  expect(by_self.at(-1)!.function).toBe("main");
  expect(by_total[0]).toMatchObject({ file: "file:///a.js", line: 10 });
  expect(topFunctions(profile, 1).by_total).toHaveLength(1);
});
