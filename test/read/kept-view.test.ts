import { appendFileSync, chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STUDY_FILES } from "../../src/core/study-folder.ts";
import { keptView, viewBefore } from "../../src/read/kept-view.ts";
import { noteLook } from "../../src/read/past.ts";
import { readStudy } from "../../src/read/view-study.ts";
import { reportOf } from "../../src/read/write-report.ts";
import { aRecord, aStudy, aStudyFile } from "../support/a-study.ts";
import { recordsOf, studyFolder } from "../support/a-study-folder.ts";
import type { TempFolder } from "../support/temp-folder.ts";

const study = (seeds: number) => aStudy({ seeds: Array.from({ length: seeds }, (_, i) => i + 1) });
const folderOf = (seeds: number): TempFolder =>
  studyFolder(
    study(seeds),
    recordsOf(study(seeds), ({ seed }) => ({ metrics: { score: seed % 7 } })),
    { total: seeds + 1 },
  );

/** The view, and whether the runs had to be read for it. */
async function ask({ path }: TempFolder): Promise<{ ok: number; isRead: boolean; id: string }> {
  let isRead = false;
  const read = () => {
    isRead = true;
    return readStudy(path);
  };
  const { counts, id } = await keptView(path, { id: "served", read });
  return { ok: counts.ok, isRead, id };
}

test("of very many runs the view is kept, and made again when anything changed that it is made from", async () => {
  using folder = folderOf(2001);
  const file = (name: string) => `${folder.path}/${name}`;
  expect(await ask(folder)).toEqual({ ok: 2001, isRead: true, id: "served" });
  expect(await ask(folder)).toEqual({ ok: 2001, isRead: false, id: "served" });
  noteLook(folder.path, 2001);
  expect((await ask(folder)).isRead).toBe(false);

  const journal = readFileSync(file(STUDY_FILES.journal), "utf8");
  const changes: (() => void)[] = [
    // As long as before, in the middle.
    () => writeFileSync(file(STUDY_FILES.journal), journal.replace('"score":3', '"score":5')),
    () => writeFileSync(file(STUDY_FILES.journal), journal.replace('"status":"ok"', '"status":"failed"')),
    () =>
      writeFileSync(
        file(STUDY_FILES.study),
        JSON.stringify(aStudyFile({ study: { ...study(2001), question: "Which?" } })),
      ),
    () => noteLook(folder.path, 17),
    () => writeFileSync(file(STUDY_FILES.plan), "{}"),
    () =>
      writeFileSync(file(STUDY_FILES.view), readFileSync(file(STUDY_FILES.view), "utf8").replace("ok", "OK")),
    () => writeFileSync(file(STUDY_FILES.view), '{"sum":"x","stamp":"made elsewhere"}'),
    () => writeFileSync(file(STUDY_FILES.view), "null"),
    () => writeFileSync(file(STUDY_FILES.view), '{"stamp":'),
  ];
  for (const [i, change] of changes.entries()) {
    change();
    expect(await ask(folder), `change ${i}`).toMatchObject({ isRead: true });
    expect(await ask(folder), `after change ${i}`).toMatchObject({ isRead: false });
  }
});

test("a report keeps it, too, and says what the page says", async () => {
  using folder = folderOf(2001);
  const { data } = await reportOf(folder.path);
  expect(await ask(folder)).toEqual({ ok: 2001, isRead: false, id: "served" });
  rmSync(`${folder.path}/${STUDY_FILES.view}`);
  expect(await keptView(folder.path)).toEqual(data.view);
});

test("what was shown last is known while more runs end, until the study is another one", async () => {
  using folder = folderOf(2001);
  expect(viewBefore(folder.path)).toBeUndefined();
  await keptView(folder.path);
  const more = aRecord({ id: "seed5__000000000000", seed: 5, program: "noop@1" });
  appendFileSync(`${folder.path}/${STUDY_FILES.journal}`, `${JSON.stringify(more)}\n`);
  expect(viewBefore(folder.path)!.counts.ok).toBe(2001);
  const launches = [
    { at: "2026-01-02T00:00:00Z", command: "assay run", specHash: "f", program: "noop@1", plan: "another" },
  ];
  writeFileSync(
    `${folder.path}/${STUDY_FILES.study}`,
    JSON.stringify(aStudyFile({ study: study(2001), launches })),
  );
  expect(viewBefore(folder.path)).toBeUndefined();
});

test("few runs leave no file, and a folder that can't be written to is shown all the same", async () => {
  using few = folderOf(3);
  await keptView(few.path);
  expect(existsSync(`${few.path}/${STUDY_FILES.view}`)).toBe(false);
  using many = folderOf(2001);
  chmodSync(many.path, 0o500);
  try {
    expect((await keptView(many.path)).counts.ok).toBe(2001);
  } finally {
    chmodSync(many.path, 0o700);
  }
});
