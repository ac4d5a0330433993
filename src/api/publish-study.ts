import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readLines } from "../archive/read-series.ts";
import { walkFiles } from "../archive/walk-files.ts";
import { UserError } from "../core/errors.ts";
import type { RunRecord } from "../core/run.ts";
import { RUN_FILES, runDir, type StudyFile } from "../core/study-folder.ts";
import { designOf } from "../design/design.ts";
import { writeMlflowFolder } from "../exporters/mlflow-folder.ts";
import { sendToMlflow } from "../exporters/mlflow-server.ts";
import type { Published, PublishedFile, PublishedRun } from "../exporters/published-run.ts";
import { writeWandb } from "../exporters/wandb-offline.ts";
import { kindAt } from "../host/held.ts";
import { readStudy } from "../read/view-study.ts";

export const TOOLS = ["mlflow", "wandb"] as const;
export type Tool = (typeof TOOLS)[number];

export interface PublishOptions {
  tool: Tool;
  /** A server's URL, or a folder. Default: what the tool's own variables say, else its usual folder. */
  address?: string;
  /** Whether the runs' files go along. */
  hasFiles?: boolean;
  env?: NodeJS.ProcessEnv;
}

/** Hands a study's runs to a tool that tracks experiments. Doing it again sends only what is new. */
export async function publishStudy(
  studyDir: string,
  { tool, address, hasFiles = true, env = process.env }: PublishOptions,
): Promise<Published> {
  const { study, records } = await readStudy(studyDir);
  const design = designOf([{ label: study.name, dir: studyDir, study: study.study, records }]);
  const armOf = new Map(design.runs.map(({ record, arm }) => [record.id, arm]));
  const publish = (record: RunRecord) =>
    publishedRun(record, { studyDir, study, arm: armOf.get(record.id) ?? null, hasFiles });
  const runs = records.map(publish);
  if (tool === "wandb") return writeWandb(runs, address ?? resolve(env.WANDB_DIR ?? ".", "wandb"));
  const where = address ?? env.MLFLOW_TRACKING_URI;
  if (where === undefined)
    throw new UserError("--to mlflow needs a server's address or a folder", {
      remedy: "`--to mlflow http://localhost:5000`, `--to mlflow mlruns`, or set MLFLOW_TRACKING_URI.",
    });
  const experiment = study.name;
  if (/^https?:/.test(where)) return sendToMlflow(runs, { address: where, experiment, env });
  if (where.startsWith("file:")) return writeMlflowFolder(runs, { dir: fileURLToPath(where), experiment });
  if (/^\w[\w+]+:/.test(where) || where === "databricks")
    throw new UserError(`--to mlflow ${where}: this store can't be written to directly`, {
      expected: "the http address of a server, or a folder",
      remedy: `Start a server on it: mlflow server --backend-store-uri ${where}, then --to mlflow http://localhost:5000`,
    });
  return writeMlflowFolder(runs, { dir: where, experiment });
}

function publishedRun(
  record: RunRecord,
  {
    studyDir,
    study,
    arm,
    hasFiles,
  }: { studyDir: string; study: StudyFile; arm: string | null; hasFiles: boolean },
): PublishedRun {
  const {
    id,
    params,
    seed,
    variant,
    task,
    repeat,
    metrics,
    labels = {},
    outcome,
    startedAtMs,
    wallMs,
  } = record;
  const dir = runDir(studyDir, id);
  const known = Object.entries(metrics).filter((entry): entry is [string, number] => entry[1] !== null);
  const commit = study.git?.commit;
  const facts: Record<string, string> = {
    ...labels,
    study: study.name,
    status: outcome.status,
    program: record.program,
    ...(outcome.owner && { owner: outcome.owner }),
    ...(outcome.reason && { reason: outcome.reason }),
    ...(record.warnings?.length && { notes: record.warnings.join("; ") }),
    ...(typeof commit === "string" && { commit }),
  };
  return {
    ...{ id, study: study.name, arm, outcome, startedAtMs, wallMs, facts },
    params: { ...params, seed, variant, ...(task !== null && { task }), ...(repeat > 0 && { repeat }) },
    metrics: { wall_ms: wallMs, ...Object.fromEntries(known) },
    readSteps: () => readLines(`${dir}/${RUN_FILES.series}`) ?? [],
    files: hasFiles ? filesOf(dir) : [],
  };
}

/** What the run and Assay left of it; earlier tries are not part of it. */
function filesOf(dir: string): PublishedFile[] {
  if (kindAt(dir) !== "a folder") return [];
  return [...walkFiles(dir, "run")]
    .map((path) => ({ name: path.slice(dir.length + 1), path }))
    .filter(({ name }) => !name.startsWith(`${RUN_FILES.earlier}/`));
}
