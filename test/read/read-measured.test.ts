import { Session } from "node:inspector";
import { expect, test } from "vitest";
import { totalOf } from "../../src/plots/flame-chart.ts";
import { callsOfPython, callsOfV8, readMeasured } from "../../src/read/read-measured.ts";
import { TempFolder } from "../support/temp-folder.ts";

function spin(times: number): number {
  let sum = 0;
  for (let i = 0; i < times; i++) sum = (sum + Math.sqrt(i)) % 1000;
  return sum;
}

test("a profile of V8 becomes the calls below what was timed", () => {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: 100 });
  session.post("Profiler.start");
  // As the stopwatch calls a body.
  const time = () => spin(3_000_000);
  function measure(): void {
    for (let i = 0; i < 3; i++) time();
  }
  measure();
  let text = "";
  session.post("Profiler.stop", (_, { profile }) => {
    text = JSON.stringify(profile);
  });
  session.disconnect();
  const root = callsOfV8(text);
  expect(root.name).toBe("iterations");
  expect(root.calls.map(({ name }) => name)).toContain("spin");
});

test("calls of Python are shared out among callers as their time was", () => {
  const functions = [
    { function: "body", file: "/home/me/bench.py", line: 3, self_s: 0.01, total_s: 0.1 },
    { function: "parse", file: "/home/me/bench.py", line: 9, self_s: 0.01, total_s: 0.06 },
    { function: "total", file: "/home/me/bench.py", line: 12, self_s: 0.01, total_s: 0.03 },
    { function: "<built-in split>", file: "~", line: 0, self_s: 0.07, total_s: 0.07 },
  ];
  const calls = [
    [0, 1, 0.06],
    [0, 2, 0.03],
    [1, 3, 0.05],
    [2, 3, 0.02],
  ];
  const root = callsOfPython(JSON.stringify({ functions, calls }));
  expect(totalOf(root)).toBeCloseTo(100, 6);
  expect(root).toMatchObject({ name: "body", where: "me/bench.py:3", own: expect.closeTo(10, 6) });
  expect(root.calls.map(({ name, calls: inside }) => [name, inside.map(totalOf)])).toEqual([
    ["parse", [expect.closeTo(50, 6)]],
    ["total", [expect.closeTo(20, 6)]],
  ]);
});

test("samples become curves in seconds, percent and megabytes; what is broken becomes nothing", () => {
  using folder = new TempFolder();
  const line = (ts: number) => JSON.stringify({ ts, cpu_percent: 50, rss_bytes: 2e6 * ts });
  folder.write("out/resources.jsonl", `${line(10)}\n${line(10.5)}\n{"ts":`);
  folder.write("out/cpu-profile.cpuprofile", "{}");
  expect(readMeasured(folder.path)).toEqual({
    resources: { seconds: [0, 0.5], cpuPercent: [50, 50], rssMb: [20, 21] },
  });
});
