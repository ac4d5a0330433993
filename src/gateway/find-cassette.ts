import { existsSync, readdirSync } from "node:fs";
import { UserError } from "../core/errors.ts";
import { CASSETTE_FILE, RUN_FILES, runOutDir, STEPS_FOLDER, STUDY_FILES } from "../core/study-folder.ts";
import { type CassetteHead, readHead } from "./cassette.ts";

/** Whose recording is looked for. */
export type Wanted = Omit<CassetteHead, "places"> & { runId: string };

/** The recordings of a study's runs, each with its run. */
function cassettesIn(studyDir: string): { runId: string; path: string }[] {
  const runs = `${studyDir}/${STUDY_FILES.runs}`;
  if (!existsSync(runs)) return [];
  return readdirSync(runs).flatMap((runId) => {
    const out = runOutDir(studyDir, runId);
    const steps = `${out}/${STEPS_FOLDER}`;
    const places = existsSync(steps) ? readdirSync(steps).map((step) => `${steps}/${step}`) : [];
    const paths = [out, ...places].map((place) => `${place}/${CASSETTE_FILE}`);
    return paths.filter((path) => existsSync(path)).map((path) => ({ runId, path }));
  });
}

/** Refuses a study without any recording, before anything starts. */
export function checkCassettes(studyDir: string): void {
  if (cassettesIn(studyDir).length > 0) return;
  throw new UserError(`${studyDir} has no recording to replay`, {
    expected: `${STUDY_FILES.runs}/ID/${RUN_FILES.out}/${CASSETTE_FILE}`,
    remedy: "Record one: assay run FILE --record.",
  });
}

/** The recording of the same run; where a study has changed in what no agent sees, that of the same work. */
export function findCassette(studyDir: string, { runId, ...wanted }: Wanted): string {
  const all = cassettesIn(studyDir);
  const own = all.filter((one) => one.runId === runId);
  const heads = (own.length > 0 ? own : all).flatMap(({ path }) => {
    const head = readHead(path);
    return head ? { path, head } : [];
  });
  const isSame = (head: CassetteHead, names: readonly (keyof typeof wanted)[]) =>
    names.every((name) => head[name] === wanted[name]);
  const found = heads.find(({ head }) => isSame(head, ["agent", "model", "task", "step", "seed", "repeat"]));
  if (found) return found.path;
  const near = heads.find(({ head }) => isSame(head, ["task"]));
  const told = near
    ? `its recording of ${near.head.task} is of ${naming(near.head)}`
    : `it has none of the task ${wanted.task}`;
  throw new UserError(`${studyDir} has no recording of ${naming(wanted)} at this run: ${told}`, {
    remedy: "Record it again, or replay the study that it was recorded in.",
  });
}

function naming({ agent, model, seed, repeat, step }: Omit<Wanted, "runId">): string {
  const times = repeat > 0 ? `, repeat ${repeat}` : "";
  const place = step === undefined ? "" : ` in the step ${step}`;
  return `the agent ${agent}${model === "" ? "" : ` with ${model}`}${place} (seed ${seed}${times})`;
}
