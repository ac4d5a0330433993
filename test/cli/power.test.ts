import { afterEach, expect, test, vi } from "vitest";
import { power } from "../../src/cli/power.ts";
import { aMatrix, product } from "../support/a-matrix.ts";
import { TempFolder } from "../support/temp-folder.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a pilot of tasks is told with its spread between tasks and within each arm", async () => {
  const tasks = ["a", "b", "c", "d", "e"];
  const runs = aMatrix(product({ agent: ["plain", "wise"] }), [1, 2, 3], () => ({}));
  const records = runs.flatMap((run) =>
    tasks.map((task, i) => ({
      ...{ ...run, id: `${run.params.agent}${run.seed}${task}`, task },
      metrics: {
        score: 0.3 + i / 10 + Math.sin(7 * i + 3 * run.seed) / 20 + (run.params.agent === "wise" ? 0.1 : 0),
      },
    })),
  );
  using folder = new TempFolder({
    "journal.jsonl": records.map((record) => `${JSON.stringify(record)}\n`).join(""),
  });
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  await power([folder.path], {
    metric: "score",
    effect: { value: 0.1, isRelative: false },
    by: ["agent"],
    baseline: "plain",
    candidate: "wise",
  });
  expect(said.mock.calls.join("\n")).toMatch(/between tasks [\d.e−]+, within 0\.\d+ and 0\.\d+/);
});

test("a pilot of 400 seeds does not know its spread only roughly", async () => {
  const seeds = Array.from({ length: 400 }, (_, i) => i + 1);
  const runs = aMatrix(product({ agent: ["plain", "wise"] }), seeds, ({ agent }, seed) => ({
    score: Math.sin(seed * 12.9898) + Number(agent === "wise") * Math.cos(seed * 78.233),
  })).map((run, i) => ({ ...run, id: `run__${String(i).padStart(12, "0")}` }));
  using folder = new TempFolder({ "journal.jsonl": runs.map((run) => `${JSON.stringify(run)}\n`).join("") });
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  await power([folder.path], { metric: "score", by: ["agent"] });
  expect(said.mock.calls.join("\n")).toMatch(/A pilot of 400 seeds knows its spread to about 5 %/);
});

test("a pilot that passes half of the time finds no difference of more than a half", async () => {
  const runs = aMatrix(
    product({ agent: ["plain", "wise"] }),
    [1, 2, 3, 4, 5, 6, 7, 8],
    ({ agent }, seed) => ({
      solved: agent === "plain" ? seed % 2 : Number(seed % 4 > 0),
    }),
  );
  using folder = new TempFolder({ "journal.jsonl": runs.map((run) => `${JSON.stringify(run)}\n`).join("") });
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  const asked = { metric: "solved", by: ["agent"], baseline: "plain", candidate: "wise" };
  await power([folder.path], { ...asked, sizes: [5, 50] });
  const lines = said.mock.calls.join("\n").split("\n");
  expect(lines.filter((line) => /^paired by seed +5 /.test(line)).join()).toMatch(/none: 0\.5 at most/);
  await expect(power([folder.path], { ...asked, effect: { value: 2, isRelative: true } })).rejects.toThrow(
    "this effect can't be planned for, because the mean of plain is 0.5, and no arm can differ from it by more than 0.5",
  );
});
