import { describe, expect, test } from "vitest";
import { filterRows } from "../../viewer/table/filter-rows.ts";
import { filterWord, parseFilter } from "../../viewer/table/parse-filter.ts";
import { RunStore } from "../../viewer/table/run-store.ts";
import { runs } from "./runs-fixture.ts";

const store = new RunStore(runs);
const rowsOf = (text: string) => [...filterRows(store, text).rows];

describe("a filter", () => {
  test("without conditions leaves all rows", () => {
    expect(rowsOf("")).toEqual([0, 1, 2, 3, 4, 5]);
    expect(rowsOf("   ")).toHaveLength(6);
  });

  test.each([
    ["policy=full", [1, 3, 5]],
    ["policy=FULL", [1, 3, 5]],
    ["policy=f*", [0, 1, 2, 3, 4, 5]],
    ["policy=fi*", [0, 2, 4]],
    ["run=r1,r10", [0, 3]],
    ["run!=r1,r10", [1, 2, 4, 5]],
    ["status!=ok", [3]],
    ["score>2", [4, 5]],
    ["score>=2", [1, 4, 5]],
    ["score<0.5", [2]],
    ["score=0.5,8", [0, 4]],
    ["score=", [3]],
    ["score!=", [0, 1, 2, 4, 5]],
    ["reason~memory", [3]],
    ["reason!~memory", [0, 1, 2, 4, 5]],
    ["reason=", [0, 1, 2, 4, 5]],
    ['"max depth"=3', [4, 5]],
    ['reason="out of memory: = 9 GB"', [3]],
    ["memory", [3]],
    ["full failed", [3]],
    ["8", [4]],
    ["policy=full score>1 status=ok", [1, 5]],
    ["policy == 'full'", [1, 3, 5]],
    ["policy == 'full' and score > 1 && status != 'failed'", [1, 5]],
    ["policy=='full'", [1, 3, 5]],
  ])("%s", (text, rows) => {
    expect(rowsOf(text)).toEqual(rows);
  });

  test("does not count unknown values as small or large", () => {
    expect(rowsOf("score<=1000")).not.toContain(3);
    expect(rowsOf("score>-1000")).not.toContain(3);
  });

  test("names the column that was meant and leaves the condition out", () => {
    const { rows, problems } = filterRows(store, "polcy=full");
    expect(rows).toHaveLength(6);
    expect(problems).toEqual(['There is no column "polcy". Did you mean "policy"?']);
  });

  test("says when a number is compared with a word", () => {
    expect(filterRows(store, "score>fast").problems).toEqual([
      'score holds numbers, so it can\'t be compared with "fast".',
    ]);
  });

  test("that is still being typed does no harm", () => {
    for (const text of ["=", '"', "policy=", '"max', "score>", "!=", "policy=full,", "a=b=c"])
      expect(() => filterRows(store, text)).not.toThrow();
  });

  test("treats signs of patterns as text", () => {
    expect(rowsOf("policy=f.*")).toEqual([]);
    expect(rowsOf("reason~(")).toEqual([]);
  });
});

describe("a word of a filter", () => {
  test.each(["full", "a b", 'say "hi"', "back\\slash", "a=b", "x,y", "5*"])(
    "%s comes back as it was",
    (word) => {
      expect(parseFilter(`name=${filterWord(word)}`)).toEqual([
        { kind: "column", name: "name", operator: "=", values: [word] },
      ]);
    },
  );
});
