import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../src/core/run.ts";
import { mergeJournals, mergeLines, mergeStudyFiles } from "../../src/depots/merge.ts";
import { aRecord, aStudyFile } from "../support/a-study.ts";

const line = (run: number, startedAtMs: number, status: RunRecord["outcome"]["status"] = "ok") =>
  JSON.stringify(
    aRecord({ id: `r${run}__${String(run).padStart(12, "0")}`, startedAtMs, outcome: { status } }),
  );
const results = (lines: readonly string[]) =>
  new Map(lines.map((text) => [(JSON.parse(text) as RunRecord).id, text]));

/** Journals of two machines that began with the same lines. */
const twoJournals = fc
  .tuple(...[0, 1, 2].map(() => fc.array(fc.tuple(fc.nat(4), fc.nat(50), fc.boolean()), { maxLength: 8 })))
  .map(([shared, a, b]) => {
    let unique = 0;
    const make = (lines: [number, number, boolean][]) =>
      lines.map(([run, at, isOk]) => line(run, at + unique++ / 1000, isOk ? "ok" : "failed"));
    const begin = make(shared!);
    return { a: [...begin, ...make(a!)], b: [...begin, ...make(b!)] };
  });

describe("journals of two machines", () => {
  test("are one with every line once, the same results whoever pulls, and nothing new the second time", () => {
    fc.assert(
      fc.property(twoJournals, ({ a, b }) => {
        const merged = mergeJournals(a, b);
        expect([...merged].sort()).toEqual([...new Set([...a, ...b])].sort());
        expect(results(mergeJournals(b, a))).toEqual(results(merged));
        expect(mergeJournals(merged, b)).toEqual(merged);
        expect(mergeJournals(merged, a)).toEqual(merged);
      }),
    );
  });

  test("keep the order of the one that knew the other's lines, whatever its clock says", () => {
    const [first, second] = [line(1, 100), line(1, 50, "failed")];
    expect(mergeJournals([first], [first, second])).toEqual([first, second]);
    expect(mergeJournals([first, second], [first])).toEqual([first, second]);
  });

  test("of one run that both did: a result stands over a failure, otherwise the later one", () => {
    const [ok, lateFailure, later] = [line(1, 100), line(1, 200, "failed"), line(1, 300)];
    expect(mergeJournals([ok], [lateFailure]).at(-1)).toBe(ok);
    expect(mergeJournals([later], [ok]).at(-1)).toBe(later);
    expect(mergeJournals([ok, line(2, 0)], [later, line(3, 0)])).toHaveLength(4);
  });

  test("with a line that is no record keep it where it is", () => {
    expect(mergeJournals(["{torn", line(1, 1)], [line(2, 1)])).toEqual(["{torn", line(1, 1), line(2, 1)]);
  });
});

test("notes of two people stand in the order of their times", () => {
  const note = (at: string) => JSON.stringify({ at, by: "ada", note: at });
  expect(mergeLines([note("1"), note("3")], [note("1"), note("2")])).toEqual([
    note("1"),
    note("2"),
    note("3"),
  ]);
});

test("study.json is the newest one's, with the launches of all", () => {
  const [launch] = aStudyFile().launches;
  const at = (...times: string[]) =>
    aStudyFile({ launches: times.map((time) => ({ ...launch!, at: time })) });
  const merged = mergeStudyFiles([
    { ...at("1", "4"), total: 4 },
    { ...at("1", "3"), total: 3 },
  ]);
  expect(merged?.total).toBe(4);
  expect(merged?.launches.map((one) => one.at)).toEqual(["1", "3", "4"]);
});
