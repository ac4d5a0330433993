import { relative, resolve } from "node:path";
import { type PullSummary, pullStudy } from "../api/pull-study.ts";
import { type PushSummary, pushStudy, type Transfer } from "../api/push-study.ts";
import { findStudy } from "../archive/read-records.ts";
import { shellWord } from "../core/escape.ts";
import { bytesText, plural } from "../core/number-text.ts";
import type { Warning } from "../core/warning.ts";
import { type Depot, openDepot } from "../depots/depot.ts";
import { readPushes, studiesIn } from "../depots/push.ts";
import { sleep } from "../host/clock.ts";
import { prepareView } from "../read/kept-view.ts";
import { printable, styleFor, table } from "./terminal.ts";

interface ShareOptions {
  records?: boolean;
  outRoot?: string;
  json?: boolean;
}

export async function push(
  name: string,
  place: string,
  { records = false, all = false, outRoot, json }: ShareOptions & { all?: boolean },
): Promise<void> {
  const studyDir = findStudy(name, outRoot);
  await withDepot(place, async (depot, signal) => {
    const progress = progressLine("sending");
    const summary = await pushStudy(studyDir, depot, {
      ...{ hasFiles: !records, isAll: all, signal },
      onProgress: progress.show,
    }).finally(progress.clear);
    if (json) console.log(JSON.stringify(summary));
    else printPush(summary);
  });
}

export async function pull(
  place: string,
  names: readonly string[],
  { records = false, list = false, outRoot, json }: ShareOptions & { list?: boolean },
): Promise<void> {
  await withDepot(place, async (depot, signal) => {
    if (list) return listPushes(depot, json);
    const pushed = names.length > 0 ? names : await studiesIn(depot);
    const summaries: PullSummary[] = [];
    for (const name of pushed) {
      const progress = progressLine(`fetching ${name}`);
      const summary = await pullStudy(name, depot, {
        ...{ hasFiles: !records, signal },
        onProgress: progress.show,
        ...(outRoot !== undefined && { outRoot }),
      }).finally(progress.clear);
      await prepareView(resolve(summary.studyDir), summary.runs);
      summaries.push(summary);
      if (!json) printPull(summary);
    }
    if (json) console.log(JSON.stringify({ studies: summaries }));
    else if (pushed.length === 0)
      console.log(`${place} has no studies yet; \`assay push STUDY ${shellWord(place)}\` sends one`);
  });
}

async function listPushes(depot: Depot, json: boolean | undefined): Promise<void> {
  const pushes = (await readPushes(depot)).map(({ push: { study, at, by, host, runs, files } }) => ({
    ...{ study, at, by, host, runs, hasFiles: files !== undefined },
  }));
  if (json) return console.log(JSON.stringify({ pushes }));
  const rows = pushes.map(({ study, at, by, host, runs, hasFiles }) => [
    ...[printable(study), at.slice(0, 16).replace("T", " "), printable(`${by}@${host}`), runs],
    hasFiles ? "with files" : "records only",
  ]);
  console.log(table(["study", "pushed (UTC)", "by", "runs", ""], rows));
}

/** Ctrl-C ends it at once: what arrived stays, and nobody sees half a push. */
async function withDepot(
  place: string,
  act: (depot: Depot, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const depot = await openDepot(place);
  const stop = new AbortController();
  const interrupted = new Promise<"interrupted">((resolve) => {
    stop.signal.addEventListener("abort", () => resolve("interrupted"));
  });
  const onSignal = () => stop.abort();
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    const work = act(depot, stop.signal).catch((error) => {
      if (!stop.signal.aborted) throw error;
    });
    // What is under way gets a moment to leave nothing behind.
    if ((await Promise.race([work, interrupted])) === "interrupted") {
      depot.close();
      await Promise.race([work, sleep(LEAVE_MS, { ref: false })]);
      process.stderr.write("\nstopped; the same command resumes it\n");
      process.exit(INTERRUPTED);
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    depot.close();
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const INTERRUPTED = 130;
const LEAVE_MS = 500;

function progressLine(doing: string) {
  const isShown = process.stderr.isTTY === true;
  return {
    show: ({ done, total, bytes }: Transfer) => {
      if (isShown)
        process.stderr.write(`\r\x1b[K${printable(doing)}: ${done} of ${total}, ${bytesText(bytes)}`);
    },
    clear: () => {
      if (isShown) process.stderr.write("\r\x1b[K");
    },
  };
}

function printPush({ study, place, runs, sent, bytes, known, warnings }: PushSummary): void {
  tell(warnings);
  const news = [
    sent > 0 && `${plural(sent, "bundle")} sent (${bytesText(bytes)})`,
    known > 0 && `${known} there already`,
  ];
  console.log(
    `${styleFor(process.stdout).bold(printable(study))}: ${plural(runs, "run")} -> ${place}: ${news.filter(Boolean).join(", ")}`,
  );
  console.log(`Next: assay pull ${shellWord(place)} ${shellWord(study)}`);
}

function printPull({ study, studyDir, pushes, runs, added, fetched, known, warnings }: PullSummary): void {
  tell(warnings);
  const news = [
    added > 0 ? `${plural(added, "record")} new` : "no new records",
    fetched > 0 && `${plural(fetched, "folder")} fetched`,
    known > 0 && `${known} here already`,
  ];
  const from = pushes === 1 ? "" : ` (merged from ${pushes} pushes)`;
  console.log(
    `${styleFor(process.stdout).bold(printable(study))}: ${plural(runs, "run")}, ${news.filter(Boolean).join(", ")}${from} -> ${relative(process.cwd(), studyDir) || "."}`,
  );
}

function tell(warnings: readonly Warning[]): void {
  for (const { text } of warnings.slice(0, MOST_WARNINGS))
    process.stderr.write(`warning: ${printable(text)}\n`);
  if (warnings.length > MOST_WARNINGS)
    process.stderr.write(`warning: and ${warnings.length - MOST_WARNINGS} more\n`);
}

const MOST_WARNINGS = 10;
