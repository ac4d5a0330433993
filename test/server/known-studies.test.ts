import { appendFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readStudy } from "../../src/read/view-study.ts";
import { KnownStudies } from "../../src/server/known-studies.ts";
import { aRecord, aStudy, aStudyFile } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

const idOf = (seed: number) => `seed${seed}__${String(seed).padStart(12, "0")}`;
const lineOf = (seed: number, part = {}) =>
  `${JSON.stringify(aRecord({ id: idOf(seed), seed, metrics: { [`x${seed}`]: seed }, ...part }))}\n`;
const fileOf = (seeds: number[], plan: string) =>
  JSON.stringify(
    aStudyFile({
      study: aStudy({ seeds }),
      launches: [
        { at: "2026-01-01T00:00:00Z", command: "assay run", specHash: "f", program: "noop@1", plan },
      ],
    }),
  );

describe("a study that is kept between two views", () => {
  test("is at every moment what reading it anew gives", async () => {
    using folder = new TempFolder({
      "study.json": fileOf([1, 2, 3], "p"),
      "journal.jsonl": lineOf(1) + lineOf(9),
    });
    const journal = `${folder.path}/journal.jsonl`;
    const known = new KnownStudies();
    const steps = [
      () => {},
      () => appendFileSync(journal, lineOf(2)),
      () => appendFileSync(journal, lineOf(1, { metrics: { y: 5 } }) + lineOf(3).slice(0, -1)),
      () => appendFileSync(journal, "\n"),
      () => appendFileSync(journal, lineOf(2, { program: "noop@2" })),
      () => writeFileSync(`${folder.path}/study.json`, fileOf([1, 9], "q")),
      () => writeFileSync(journal, lineOf(1)),
    ];
    const counts: number[] = [];
    for (const [i, step] of steps.entries()) {
      step();
      const read = await known.read(folder.path);
      counts.push(read.records.length);
      // A whole line that only lacks its newline may be about to be cut off: it counts when it is complete.
      if (i !== 2) expect(read).toEqual(await readStudy(folder.path));
    }
    expect(counts).toEqual([1, 2, 2, 3, 2, 2, 1]);
  });

  test("without a study.json is refused in words", async () => {
    using folder = new TempFolder({ "journal.jsonl": lineOf(1) });
    await expect(new KnownStudies().read(folder.path)).rejects.toThrow("has no readable study.json");
  });
});
