import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readStudyFile } from "../../../src/archive/read-records.ts";
import type { Search } from "../../../src/core/space.ts";
import { changeSearch } from "../../../src/launch/search/change-search.ts";
import { Ledger } from "../../../src/search/shared/ledger.ts";
import { integer, oneOf, parameter, uniform } from "../../search/searchers/problem.ts";
import { aStudy, aStudyFile } from "../../support/a-study.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const search: Search = {
  ...{ method: "random", options: {}, points: 4, objectives: [], constraints: [], seed: 1 },
  space: [
    parameter("kind", oneOf("a", "b")),
    parameter("x", uniform(0, 1)),
    parameter("depth", integer(1, 3), { when: "kind == 'a'" }),
  ],
  where: "x < limit",
};

function searchIn(dir: string): void {
  const study = aStudy({ search, seeds: [1, 2], params: { limit: 0.9 } });
  writeFileSync(`${dir}/study.json`, JSON.stringify(aStudyFile({ study, total: 8 })));
  const ledger = new Ledger(dir);
  ledger.setFact("search", JSON.stringify(search));
  ledger.close();
}

describe("a search", () => {
  test("with more points has as many runs, for whoever asks how far it is", async () => {
    using folder = new TempFolder();
    searchIn(folder.path);
    await changeSearch(folder.path, { points: 7 });
    expect(readStudyFile(folder.path)).toMatchObject({ total: 14, study: { search: { points: 7 } } });
  });

  test.each([
    ["{}", 'it has no value of "kind"'],
    ['{"kind": "b"}', 'it has no value of "x"'],
    ['{"kind": "c", "x": 0.5}', '"kind" can\'t be "c"'],
    ['{"kind": "b", "x": 2}', '"x" can\'t be 2'],
    ['{"kind": "b", "x": 0.5, "depth": 2}', '"depth" is inactive there'],
    ['{"kind": "b", "x": 0.95}', "it does not satisfy where: x < limit"],
    ['{"kind": "b", "x": 0.5, "y": 1}', 'no parameter "y"'],
    ["[1]", "a point as JSON"],
  ])("refuses %s as a point, and says why", async (text, why) => {
    using folder = new TempFolder();
    searchIn(folder.path);
    await expect(changeSearch(folder.path, { add: [text] })).rejects.toThrow(why);
  });

  test("takes a point of its own once, whatever the order of its parameters", async () => {
    using folder = new TempFolder();
    searchIn(folder.path);
    const add = ['{"kind": "a", "x": 0.5, "depth": 2}', '{"depth": 2, "x": 0.5, "kind": "a"}'];
    expect(await changeSearch(folder.path, { add })).toMatchObject({ points: 1 });
    expect(await changeSearch(folder.path, { add })).toMatchObject({ points: 1 });
  });
});
