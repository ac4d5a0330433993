import { describe, expect, test } from "vitest";
import { type JudgedRun, judgeOn, labelsOf } from "../../../src/analysis/labels/judge.ts";
import type { Note } from "../../../src/core/note.ts";
import { judgedRuns as runs } from "./judged-runs.ts";

const judged = (all: JudgedRun[]) => judgeOn(all, { judge: "judge/score", arms: ["a"] });

describe("a judge on all runs, and people on some", () => {
  test("a good judge saves labels, and the sentence says how many", () => {
    const found = judged(runs(1, { tasks: 1000, labelled: 0.1, errs: 0.05 }));
    const [arm] = found.arms;
    expect(found.isUseful).toBe(true);
    expect(arm!.saved).toBeGreaterThan(arm!.labels);
    expect(found.sentence).toContain(`saved ${arm!.saved} labels: ${arm!.labels} labels and the judge`);
    expect(arm!.together.known && arm!.alone.known && arm!.together.high - arm!.together.low).toBeLessThan(
      arm!.alone.known ? arm!.alone.high - arm!.alone.low : 0,
    );
  });

  test("a judge that guesses, or says the reverse, adds nothing", () => {
    let nothing = 0;
    for (let seed = 0; seed < 200; seed++)
      if (
        judged(runs(seed, { tasks: 400, labelled: 0.2, errs: 0.5 })).sentence.startsWith(
          "This judge adds nothing",
        )
      )
        nothing++;
    // Five in a hundred seem to be of use by chance.
    expect(nothing).toBeGreaterThan(175);
    const reverse = judged(runs(1, { tasks: 400, labelled: 0.2, errs: 0.95 }));
    expect(reverse.sentence).toMatch(/^This judge adds nothing: .*correlation −0\.9/);
    expect(reverse.arms[0]!.saved).toBe(0);
  });

  test("labels that were picked by what the judge says are told", () => {
    const all = runs(2, { tasks: 400, labelled: 1, errs: 0.1 });
    const picked = all.map((run, i) => ({
      ...run,
      label: run.judge === 1 && i % 3 === 0 ? run.label : null,
    }));
    expect(judged(picked).cautions.join()).toContain("hardly picked at random");
    let alarms = 0;
    for (let seed = 0; seed < 100; seed++)
      alarms += judged(runs(seed, { tasks: 400, labelled: 0.3, errs: 0.1 })).cautions.length;
    expect(alarms).toBeLessThan(6);
  });

  test("with a label on every run, or on none of an arm, the reason stands in place of an interval", () => {
    const all = runs(3, { tasks: 50, labelled: 1, errs: 0.1 });
    expect(judged(all).arms[0]!.together).toMatchObject({ known: false });
    expect(judged(all).arms[0]!.alone).toMatchObject({ known: true });
    const none = judged(all.map((run) => ({ ...run, label: null })));
    expect(none.arms[0]!.together).toMatchObject({ known: false });
    expect(none.sentence).toContain("This judge adds nothing");
  });
});

describe("labels", () => {
  const note = (run: string, by: string, verdict: string, turn?: number): Note => ({
    ...{ run, by, verdict, at: "", tags: [], note: null },
    ...(turn !== undefined && { turn }),
  });

  test("are the mean over people; unsure is none, and turns don't count", () => {
    const said = [
      ...[note("a", "ada", "pass"), note("a", "bo", "Fail"), note("b", "ada", "unsure")],
      ...[note("c", "ada", "0.25"), note("d", "ada", "pass", 3)],
    ];
    expect(labelsOf(said)).toEqual({
      labels: new Map([
        ["a", 0.5],
        ["c", 0.25],
      ]),
      unread: [],
    });
  });

  test("in words of one's own need to be told which of them pass", () => {
    const said = [note("a", "ada", "crisp"), note("b", "ada", "muddled")];
    expect(labelsOf(said).unread).toEqual(["crisp", "muddled"]);
    expect([...labelsOf(said, ["crisp"]).labels]).toEqual([
      ["a", 1],
      ["b", 0],
    ]);
  });
});
