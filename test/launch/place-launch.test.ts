import { mkdirSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../src/core/run.ts";
import type { Study } from "../../src/core/study.ts";
import { isStamp } from "../../src/core/study-folder.ts";
import { placeLaunch } from "../../src/launch/kept-apart.ts";
import { Plan } from "../../src/plan/plan.ts";
import { aRecord, aStudy, aStudyFile, axis } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

const PROGRAM = "rollout@1";
const FIRST = "20250824__12-34-56";

class Root extends TempFolder {
  readonly study: Study;

  constructor() {
    super();
    this.study = aStudy({
      ...{ name: "nightly", outRoot: this.path, isStamped: true, seeds: [1, 2] },
      ...{ axes: [axis("model", "a", "b")], tasks: ["sort"] },
    });
  }

  /** A launch with a record for each outcome, in the order of the plan. */
  launch(stamp: string, outcomes: RunRecord["outcome"][], study = this.study): void {
    const runs = [...new Plan(study, PROGRAM).runs()];
    const lines = outcomes.map((outcome, i) => JSON.stringify(aRecord({ ...runs[i], outcome })));
    this.write(`nightly/${stamp}/journal.jsonl`, lines.map((line) => `${line}\n`).join(""));
    this.write(`nightly/${stamp}/study.json`, JSON.stringify(aStudyFile({ study, program: PROGRAM })));
  }

  place(choice = {}, study = this.study): string {
    const plan = new Plan(study, PROGRAM);
    return basename(placeLaunch({ study, plan, program: PROGRAM }, choice));
  }
}

const ok = { status: "ok" } as const;
const all = [ok, ok, ok, ok];

describe("a launch", () => {
  test("that was cut short goes on", () => {
    using root = new Root();
    root.launch("20250823__00-00-00", all);
    root.launch(FIRST, [ok, ok, ok]);
    expect(root.place()).toBe(FIRST);
    root.launch(FIRST, [ok, ok, ok, { status: "cancelled" }]);
    expect(root.place()).toBe(FIRST);
  });

  test("that has ended is followed by a new one, also where runs of it failed", () => {
    using root = new Root();
    root.launch(FIRST, [ok, ok, { status: "failed", owner: "infrastructure" }, { status: "timeout" }]);
    expect(isStamp(root.place())).toBe(true);
    expect(root.place()).not.toBe(FIRST);
  });

  test("of another plan is followed by a new one", () => {
    using root = new Root();
    root.launch(FIRST, [ok]);
    expect(root.place({}, { ...root.study, tasks: ["sort", "search"] })).not.toBe(FIRST);
    expect(root.place({}, { ...root.study, taskVersions: { sort: "changed" } })).not.toBe(FIRST);
    expect(root.place()).toBe(FIRST);
  });

  test("whose parameters hold a secret, which study.json has not, goes on all the same", () => {
    using root = new Root();
    const study = { ...root.study, params: { env: { API_KEY: "sk-1234567890" } } };
    const hide = (text: string) => text.replaceAll("sk-1234567890", "[secret API_KEY]");
    root.launch(FIRST, [ok], JSON.parse(hide(JSON.stringify(study))) as Study);
    const plan = new Plan(study, PROGRAM);
    expect(basename(placeLaunch({ study, plan, program: PROGRAM, hide }))).toBe(FIRST);
  });

  test("is a new one with --fresh, the newest with --rerun, and the named one with --rollout", () => {
    using root = new Root();
    root.launch(FIRST, [ok]);
    expect(root.place({ isFresh: true })).not.toBe(FIRST);
    root.launch("20250825__00-00-00", all);
    expect(root.place({ isRerun: true })).toBe("20250825__00-00-00");
    expect(root.place({ stamp: FIRST })).toBe(FIRST);
    expect(() => root.place({ stamp: "20250824__12-34-57" })).toThrow(FIRST);
    expect(() => root.place({ stamp: "yesterday" })).toThrow("a time such as 20250824__12-34-56");
  });

  test("has a time of its own, also in the second of another", () => {
    using root = new Root();
    const first = root.place();
    mkdirSync(`${root.path}/nightly/${first}`, { recursive: true });
    expect(root.place() > first).toBe(true);
  });
});
