import { expect, test } from "vitest";
import { agreementOf } from "../../../src/analysis/labels/agreement.ts";
import type { Note } from "../../../src/core/note.ts";

const said = (by: string, run: string, verdict: string | null): Note => ({
  ...{ by, run, verdict, at: "", tags: [], note: null },
});

test("two who agree on three of four runs are told their kappa, their alpha and where they differ", () => {
  const notes = ["pass", "pass", "fail", "fail"].flatMap((verdict, i) => [
    said("ada", `r${i}`, verdict),
    said("bo", `r${i}`, i === 3 ? "pass" : verdict),
  ]);
  const agreement = agreementOf([...notes, said("cy", "alone", "pass"), said("ada", "r9", null)])!;
  expect(agreement).toMatchObject({
    raters: [
      { name: "ada", verdicts: 4 },
      { name: "bo", verdicts: 4 },
      { name: "cy", verdicts: 1 },
    ],
    shared: 4,
    pairs: [{ a: "ada", b: "bo", common: 4, kappa: { known: true, value: 0.5 } }],
    apart: [
      {
        run: "r3",
        verdicts: [
          { by: "ada", verdict: "fail" },
          { by: "bo", verdict: "pass" },
        ],
      },
    ],
  });
  // By hand: 2 of 8 coincidences differ; 3 fails and 5 passes would by chance in 2 * 3 * 5 / (8 * 7).
  expect(agreement.alpha).toMatchObject({ known: true, value: expect.closeTo(1 - 2 / 8 / (30 / 56)) });
});

test("one person alone agrees with nobody", () => {
  expect(agreementOf([said("ada", "r1", "pass"), said("ada", "r2", "fail")])).toBeNull();
});
