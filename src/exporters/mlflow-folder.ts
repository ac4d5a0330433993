import { constants, copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parse, stringify } from "yaml";
import { canonicalJson, hashText } from "../core/hash.ts";
import { makeFolders, readText, removeTree, replaceFile } from "../host/files.ts";
import { MLFLOW_STATUS, type MlflowRun, mlflowRun, STATE_TAG } from "./mlflow-run.ts";
import type { Published, PublishedRun } from "./published-run.ts";

const META = "meta.yaml";

/** Writes runs into a folder as MLflow's file store keeps them (`mlruns/`). A run has the same id each time. */
export function writeMlflowFolder(
  runs: Iterable<PublishedRun>,
  { dir, experiment }: { dir: string; experiment: string },
): Published {
  const published: Published = { place: dir, added: 0, changed: 0, known: 0, problems: [] };
  const home = experimentFolder(resolve(dir), experiment);
  for (const run of runs) {
    const id = hashText(canonicalJson([run.study, run.id])).slice(0, 32);
    const path = join(home.dir, id);
    const stateFile = join(path, "tags", STATE_TAG);
    const told = mlflowRun(run);
    const isThere = existsSync(join(path, META));
    if (isThere && existsSync(stateFile) && readText(stateFile) === told.state) {
      published.known++;
      continue;
    }
    published[isThere ? "changed" : "added"]++;
    removeTree(path);
    writeRun(path, told, { id, experimentId: home.id });
    for (const file of run.files) {
      const target = join(path, "artifacts", file.name);
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(file.path, target, constants.COPYFILE_FICLONE);
    }
    write(stateFile, told.state);
  }
  return published;
}

/** The folder of the experiment with this name; a new one where there is none. */
function experimentFolder(dir: string, name: string): { id: string; dir: string } {
  makeFolders(dir);
  for (const id of readdirSync(dir)) {
    const path = join(dir, id, META);
    if (!existsSync(path)) continue;
    if ((parse(readText(path)) as { name?: unknown } | null)?.name === name)
      return { id, dir: join(dir, id) };
  }
  const id = BigInt(`0x${hashText(name).slice(0, 15)}`)
    .toString()
    .padStart(18, "1")
    .slice(0, 18);
  const home = join(dir, id);
  const now = Date.now();
  const meta = {
    artifact_location: pathToFileURL(home).href,
    creation_time: now,
    experiment_id: id,
    last_update_time: now,
    lifecycle_stage: "active",
    name,
  };
  write(join(home, META), stringify(meta, { defaultStringType: "QUOTE_SINGLE", defaultKeyType: "PLAIN" }));
  return { id, dir: home };
}

function writeRun(
  path: string,
  run: MlflowRun,
  { id, experimentId }: { id: string; experimentId: string },
): void {
  for (const folder of ["params", "metrics", "tags", "artifacts"]) makeFolders(join(path, folder));
  for (const { key, value } of run.params) write(join(path, "params", key), value);
  for (const { key, value } of run.tags) write(join(path, "tags", key), value);
  const lines = new Map<string, string[]>();
  for (const { key, value, timestamp, step } of run.metrics)
    lines.set(key, [...(lines.get(key) ?? []), `${timestamp} ${numberText(value)} ${step}\n`]);
  for (const [key, all] of lines) write(join(path, "metrics", key), all.join(""));
  const meta = {
    artifact_uri: pathToFileURL(join(path, "artifacts")).href,
    end_time: run.endMs,
    entry_point_name: "",
    experiment_id: experimentId,
    lifecycle_stage: "active",
    run_id: id,
    run_name: run.name,
    source_name: "",
    source_type: 4,
    source_version: "",
    start_time: run.startMs,
    status: MLFLOW_STATUS[run.status],
    tags: [],
    user_id: "assay",
  };
  write(join(path, META), stringify(meta, { defaultStringType: "QUOTE_SINGLE", defaultKeyType: "PLAIN" }));
}

/** As Python reads it. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  return Number.isFinite(value) ? String(value) : value > 0 ? "inf" : "-inf";
}

function write(path: string, text: string): void {
  makeFolders(dirname(path));
  replaceFile(path, text, { isDurable: false });
}
