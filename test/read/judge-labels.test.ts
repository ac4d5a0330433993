import { describe, expect, test } from "vitest";
import { appendNote } from "../../src/archive/notes.ts";
import { judgeStudy, pickRuns, viewJudgement } from "../../src/read/judge-labels.ts";
import { readStudy } from "../../src/read/view-study.ts";
import { aStudy } from "../support/a-study.ts";
import { recordsOf, studyFolder } from "../support/a-study-folder.ts";

const JUDGE = { kind: "judge", model: "m", criteria: { polite: "Is it polite?" }, repeats: 1 } as const;
const study = aStudy({
  axes: [{ names: ["model"], rows: [["small"], ["big"]] }],
  seeds: Array.from({ length: 40 }, (_, i) => i + 1),
  score: [{ name: "tone", isNamed: true, by: JUDGE }],
});
const records = recordsOf(study, ({ seed }) => ({ metrics: { "tone/polite": seed % 2, other: 1 } }));

describe("a judge of a study", () => {
  test("is found by its scorer and held against labels on runs that were picked at random", async () => {
    using folder = studyFolder(study, records);
    const read = await readStudy(folder.path);
    expect(viewJudgement(read)).toBeNull();
    expect(() => judgeStudy(read)).toThrow(/nobody has judged a run.*--pick 30/);

    const picked = pickRuns(read, 20);
    expect(new Set(picked).size).toBe(20);
    for (const id of picked.slice(0, 10)) {
      const isPass = records.find((record) => record.id === id)!.metrics["tone/polite"] === 1;
      appendNote(folder.path, {
        at: "2026-01-01T00:00:00Z",
        by: "ada",
        run: id,
        verdict: isPass ? "pass" : "fail",
      });
    }
    // What is labelled takes nothing from the rest.
    expect(pickRuns(read, 10)).toEqual(picked.slice(10));
    const found = judgeStudy(read);
    expect(found).toMatchObject({ judge: "tone/polite", isUseful: true });
    expect(found.arms.map(({ runs }) => runs)).toEqual([40, 40]);
    expect(found.arms.reduce((sum, { labels }) => sum + labels, 0)).toBe(10);
    expect(viewJudgement(read)).toEqual(found);
    expect(judgeStudy(read, { where: "model == 'big'" }).arms).toHaveLength(1);
  });

  test("may be any metric; what nobody can read is asked for", async () => {
    using folder = studyFolder({ ...study, score: [] }, records);
    const read = await readStudy(folder.path);
    expect(() => judgeStudy(read)).toThrow(/has no judge.*--judge NAME/);
    expect(() => pickRuns(read, 1, { metric: "tone/polit" })).toThrow(/Did you mean "tone\/polite"/);
    const run = records[0]!.id;
    appendNote(folder.path, { at: "2026-01-01T00:00:00Z", by: "ada", run, verdict: "crisp" });
    expect(() => judgeStudy(read, { metric: "other" })).toThrow(/what crisp counts as.*--pass/);
    expect(judgeStudy(read, { metric: "other", pass: ["crisp"] }).sentence).toContain("adds nothing");
  });
});
