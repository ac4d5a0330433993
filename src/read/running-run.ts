import type { Params } from "../core/params.ts";
import { RUN_FILES, type StudyFile } from "../core/study-folder.ts";
import type { RunView } from "../reporters/study-view.ts";
import { readInside, runFolder } from "./read-inside.ts";
import { filesAndOutput, type RunViewOptions } from "./run-view.ts";
import { runnerOf } from "./runner-of.ts";

/** What the runner wrote about a run when it began. */
interface Begun {
  params?: Params & { seed?: number };
  ablation_name?: string;
  ablation_flags?: string[];
  task?: string;
  repeat?: number;
}

const MOST_META_BYTES = 1 << 20;

/** A run that is under way, as far as it has come; undefined where nobody runs it now. */
export async function runningRun(
  studyDir: string,
  runId: string,
  options: RunViewOptions & { study: StudyFile | undefined },
): Promise<RunView | undefined> {
  const runner = await runnerOf(studyDir).catch(() => undefined);
  const under = runner?.live?.running.find(({ id }) => id === runId);
  if (!under) return undefined;
  const dir = runFolder(studyDir, runId);
  const begun = begunOf(dir);
  const { seed, ...params } = begun?.params ?? {};
  return {
    id: runId,
    params,
    variant: begun?.ablation_name ?? "",
    flags: begun?.ablation_flags ?? [],
    seed: seed ?? null,
    task: begun?.task ?? null,
    repeat: begun?.repeat ?? 0,
    outcome: null,
    ...{ attempt: 1, earlier: [], metrics: [], labels: {}, warnings: [] },
    startedAtMs: under.sinceMs,
    wallMs: Math.max(0, Date.now() - under.sinceMs),
    costUsd: null,
    ...filesAndOutput(dir, { id: runId, own: [] }, options),
  };
}

/** A program's folder has its meta.json half a second after the start; until then little is known. */
function begunOf(dir: string | undefined): Begun | undefined {
  const text =
    dir === undefined ? undefined : readInside(dir, RUN_FILES.meta, { first: MOST_META_BYTES })?.text;
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Begun);
  } catch {
    return undefined;
  }
}
