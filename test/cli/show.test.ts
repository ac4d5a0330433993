import { expect, test } from "vitest";
import { pickRun } from "../../src/cli/show.ts";
import { aRecord, aStudy } from "../support/a-study.ts";
import { studyFolder } from "../support/a-study-folder.ts";

test("of a run that the old and the new program made, the new one is meant; of two runs of now neither is", () => {
  const study = aStudy({ seeds: [1, 2] });
  using folder = studyFolder(study, [
    aRecord({ id: "seed1__0123456789aa", seed: 1, program: "noop@0" }),
    aRecord({ id: "seed1__0123456789bb", seed: 1, program: "noop@1" }),
    aRecord({ id: "seed2__0123456789cc", seed: 2, program: "noop@1" }),
  ]);
  expect(pickRun("seed1", [folder.path]).record.program).toBe("noop@1");
  expect(pickRun("9aa", [folder.path]).record.program).toBe("noop@0");
  expect(() => pickRun("seed", [folder.path])).toThrow(/could be 3 runs/);
});
