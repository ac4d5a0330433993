import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { FoundFile } from "../../src/archive/imports/found-file.ts";
import { done, parameter, problem, uniform } from "../search/searchers/problem.ts";
import { aReport } from "../support/a-report.ts";
import { aRecord, aStudyFile } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";
import { ceiling } from "./extending/ceiling.ts";
import { checklist } from "./extending/checklist.ts";
import { countFailures } from "./extending/count-failures.ts";
import { diary } from "./extending/diary.ts";
import { enough } from "./extending/enough.ts";
import { failures } from "./extending/failures.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(root, "docs/extending.md"), "utf8");
/** Each example of the page by its path, with imports as they are in the files beside this one. */
const examples = [...page.matchAll(/^```ts\n\/\/ (src\/\S+)\n(.*?)^```$/gms)].map(([, path, code]) => ({
  name: basename(path!),
  code: code!.replaceAll(
    / from "(\.[^"]+)"/g,
    (_, to) => ` from "../../../${relative(root, resolve(root, dirname(path!), to))}"`,
  ),
}));

/** The order of imports depends on where a file is. */
function sorted(code: string): string[] {
  const lines = code.split("\n");
  const end = lines.indexOf("");
  return [...lines.slice(0, end).sort(), ...lines.slice(end)];
}

describe("the examples of docs/extending.md", () => {
  test("are the ones that are compiled and run here", () => {
    const here = join(root, "test/docs/extending");
    expect(examples.map(({ name }) => name).sort()).toEqual(readdirSync(here).sort());
    for (const { name, code } of examples)
      expect(sorted(code)).toEqual(sorted(readFileSync(join(here, name), "utf8")));
  });

  test("a searcher ends the search when a point is good enough", () => {
    const options = enough.options.parse({ loss: 0.1 });
    const on = { ...problem([parameter("x", uniform(0, 1))]), options };
    const [point] = enough.ask([], 1, on);
    expect(enough.ask([done(point!, 0.5)], 2, on)).toHaveLength(2);
    expect(enough.ask([done(point!, 0.05)], 2, on)).toEqual([]);
  });

  test("a stopper judges by the last loss", () => {
    const judge = (values: number[]) =>
      ceiling.judge(
        { run: { id: "a", values, state: "running" }, others: [], goal: "maximize" },
        ceiling.options.parse({ loss: -0.5 }),
      );
    expect(judge([0.1, 0.6]).stop).toBe(false);
    expect(judge([0.6, 0.1])).toEqual({ stop: true, why: "0.1 is beyond 0.5" });
  });

  test("an importer reads trials, and tells what is none", () => {
    const items = [{ task: "a", share: 1 }, { task: "b" }, { share: 1 }];
    using folder = new TempFolder({ "checklist.json": JSON.stringify({ items }) });
    const file = new FoundFile(join(folder.path, "checklist.json"));
    expect(checklist.claims(file)).toBe(true);
    expect([...checklist.read(file)]).toMatchObject([
      { key: "checklist/a", outcome: { status: "ok" }, metrics: { solved: 1 } },
      { outcome: { status: "failed", owner: "grader" }, metrics: {} },
      { problem: "an item without a task" },
    ]);
  });

  test("a reader of trajectories leaves unknown what the file does not say", () => {
    const value = { task: "t", diary: [{ did: "ls", saw: "a.txt" }, { did: "cat a.txt" }] };
    expect([diary.detects(value), diary.detects({})]).toEqual([true, false]);
    expect(diary.read(value, { name: "t.json" })).toMatchObject({
      instance: "t",
      turns: [
        { number: 1, action: "ls" },
        { number: 2, observation: null },
      ],
      totals: {},
    });
  });

  test("a reporter writes a line per failed run", () => {
    const outcome = { status: "failed" as const, owner: "agent" as const, reason: "broke\nits tests" };
    const records = [aRecord({ id: "good" }), aRecord({ id: "bad", outcome })];
    expect(failures.render(aReport(aStudyFile({ total: 2 }), records))).toEqual([
      { path: "failures.txt", content: "agent\tbad\tbroke its tests\n" },
    ]);
  });

  test("a sink counts failures as they come", () => {
    const told: number[] = [];
    const sink = countFailures((count) => told.push(count));
    for (const status of ["failed", "ok", "failed"] as const)
      sink.handle({ kind: "ended", record: aRecord({ outcome: { status } }) });
    expect(told).toEqual([1, 2]);
  });
});
