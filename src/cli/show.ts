import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import {
  findStudy,
  isCurrent,
  latestRecords,
  listStudies,
  readLateAttempts,
  readStudyFile,
} from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { durationText, numberText, usdText } from "../core/number-text.ts";
import type { RunRecord } from "../core/run.ts";
import { RUN_FILES, runDir } from "../core/study-folder.ts";
import { readInside } from "../read/read-inside.ts";
import { printable, styleFor } from "./terminal.ts";

interface ShowOptions {
  study?: string;
  outRoot?: string;
  json?: boolean;
}

const TAIL_BYTES = 2000;

export async function show(named: string, options: ShowOptions): Promise<void> {
  const { record, studyDir } = findRun(named, options);
  const dir = runDir(studyDir, record.id);
  const late = readLateAttempts(studyDir, record.id);
  if (options.json) {
    console.log(
      JSON.stringify({
        ...record,
        ...(late.length > 0 && { late }),
        studyDir,
        dir: existsSync(dir) ? dir : null,
      }),
    );
    return;
  }
  const style = styleFor(process.stdout);
  const { outcome } = record;
  console.log(style.bold(record.id));
  const word = outcome.status === "ok" ? style.green("ok") : style.red(outcome.status);
  const owner = outcome.owner ? ` (${outcome.owner})` : "";
  console.log(
    `${word}${owner} ${printable(outcome.reason ?? "")} in ${durationText(record.wallMs)}, attempt ${record.attempt}, ${new Date(record.startedAtMs).toISOString()}`,
  );
  for (const { reason, wallMs, costUsd } of record.earlier ?? [])
    console.log(`before it: ${printable(reason)}${spentText(wallMs, costUsd)}`);
  for (const {
    attempt,
    worker,
    outcome: { status },
    wallMs,
    costUsd,
  } of late)
    console.log(
      `attempt ${attempt}, which came late from ${printable(worker)}: ${status}${spentText(wallMs, costUsd)}`,
    );
  section("parameters", {
    ...record.params,
    seed: record.seed,
    variant: record.variant,
    repeat: record.repeat,
  });
  section("metrics", record.metrics);
  if (record.labels) section("labels", record.labels);
  for (const warning of record.warnings ?? [])
    console.log(`${style.yellow("warning")} ${printable(warning)}`);
  for (const name of [RUN_FILES.stdout, RUN_FILES.stderr]) {
    const tail = tailOf(dir, name);
    if (tail !== "") console.log(`\n${style.bold(name)}\n${tail}`);
  }
  if (record.files?.length)
    console.log(
      `\n${style.bold("files")}\n${record.files.map((file) => `  ${relative(process.cwd(), `${dir}/${RUN_FILES.out}/${file}`)}`).join("\n")}`,
    );
  const spec = readStudyFile(studyDir)?.spec.path;
  if (spec) console.log(`\nAlone again: assay run ${relative(process.cwd(), spec)} --rerun ${record.id}`);

  function section(title: string, values: Record<string, unknown>): void {
    console.log(`\n${style.bold(title)}`);
    const width = Math.max(0, ...Object.keys(values).map((name) => name.length));
    for (const [name, value] of Object.entries(values)) {
      const text =
        typeof value === "number"
          ? numberText(value)
          : value === null
            ? "unknown"
            : typeof value === "string"
              ? value
              : JSON.stringify(value);
      console.log(`  ${name.padEnd(width)}  ${printable(text)}`);
    }
  }
}

function spentText(wallMs: number, costUsd: number | undefined): string {
  return ` in ${durationText(wallMs)}${costUsd === undefined ? "" : `, ${usdText(costUsd)}`}`;
}

function findRun(named: string, options: ShowOptions): { record: RunRecord; studyDir: string } {
  const path = rolloutFolder(named) ?? resolve(named);
  if (existsSync(path) && statSync(path).isDirectory() && basename(dirname(path)) === "runs") {
    return pickRun(basename(path), [dirname(dirname(path))]);
  }
  return pickRun(
    named,
    options.study === undefined ? listStudies(options.outRoot) : [findStudy(options.study, options.outRoot)],
  );
}

/** A rollout goes by its number in a launch too, which is a link to the files that the run left. */
function rolloutFolder(named: string): string | undefined {
  const link = [named, join("data/runs", named)].find((path) =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink(),
  );
  return link === undefined || !existsSync(link) ? undefined : dirname(realpathSync(link));
}

/** The run whose id has this part, in one of these studies. */
export function pickRun(id: string, dirs: string[]): { record: RunRecord; studyDir: string } {
  const found = dirs.flatMap((studyDir) =>
    latestRecords(studyDir)
      .filter((record) => record.id.includes(id))
      .map((record) => ({ record, studyDir })),
  );
  if (found.length === 1) return found[0]!;
  const ofNow = found.filter(({ record, studyDir }) => isOfNow(record, studyDir));
  if (ofNow.length === 1) return ofNow[0]!;
  if (found.length > 1) {
    throw new UserError(`"${id}" could be ${found.length} runs`, {
      got: found
        .slice(0, 3)
        .map(({ record }) => record.id)
        .join(", "),
      remedy: "Write more of the id.",
    });
  }
  throw new UserError(
    `no run "${id}" has ended in ${dirs.length === 0 ? "bench_runs" : dirs.map((dir) => relative(process.cwd(), dir) || ".").join(", ")}`,
    {
      remedy: "`assay status STUDY` lists what runs; --study or --out-root look elsewhere.",
    },
  );
}

/** Whether the study's newest program made it: an edited program has new runs of the same label. */
function isOfNow(record: RunRecord, studyDir: string): boolean {
  const study = readStudyFile(studyDir);
  return study !== undefined && isCurrent(study)(record);
}

function tailOf(dir: string, name: string): string {
  const tail = readInside(dir, name, { last: TAIL_BYTES });
  const text = tail?.text.trimEnd() ?? "";
  return text === "" ? "" : `${tail!.isCut ? "...\n" : ""}${text.split("\n").map(printable).join("\n")}`;
}
