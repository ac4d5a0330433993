import { relative } from "node:path";
import { studyStatus } from "../api/study-status.ts";
import { findStudy, listStudies } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { countText, durationText, plural, usdText } from "../core/number-text.ts";
import { titleOf } from "../core/study-folder.ts";
import { sleep } from "../host/clock.ts";
import { etaMs, type Runner, runnerOf } from "../read/runner-of.ts";
import { progressText } from "./progress.ts";
import { failureLines } from "./run-summary.ts";
import { printable, styleFor, table } from "./terminal.ts";

interface StatusOptions {
  outRoot?: string;
  /** Keeps showing how far it is, until it ends. */
  follow?: boolean;
  json?: boolean;
}

export async function status(name: string | undefined, options: StatusOptions): Promise<void> {
  if (options.follow) {
    if (name === undefined)
      throw new UserError("--follow shows one study", {
        remedy: "Name it: `assay status my-study --follow`.",
      });
    if (!(await followed(findStudy(name, options.outRoot), options))) return;
  }
  const dirs = name === undefined ? listStudies(options.outRoot) : [findStudy(name, options.outRoot)];
  const all = (
    await Promise.all(dirs.map((dir) => studyStatus(dir).catch(name === undefined ? passOver : null)))
  ).filter((one) => one !== undefined);
  if (options.json) {
    console.log(JSON.stringify(name === undefined ? all : all[0]));
    return;
  }
  if (name === undefined) {
    if (all.length === 0)
      console.log(`no studies below ${options.outRoot ?? "bench_runs"}; \`assay run FILE\` makes one`);
    else {
      const hasEarly = all.some(({ stoppedEarly }) => stoppedEarly > 0);
      const rows = all.map((s) => [
        s.name,
        s.ok,
        ...(hasEarly ? [s.stoppedEarly] : []),
        s.failed,
        s.left ?? "?",
        s.total ?? "?",
        s.runner
          ? s.isPaused
            ? "paused"
            : "running"
          : s.decision?.isDecided
            ? "decided"
            : s.left === 0
              ? "done"
              : "stopped",
      ]);
      console.log(
        table(
          ["study", "ok", ...(hasEarly ? ["stopped early"] : []), "failed", "left", "total", "state"],
          rows,
        ),
      );
    }
    return;
  }
  const style = styleFor(process.stdout);
  const [s] = all as [Awaited<ReturnType<typeof studyStatus>>];
  const failed = s.failed > 0 ? style.red(`${countText(s.failed)} failed`) : "0 failed";
  const early = s.stoppedEarly > 0 ? `${countText(s.stoppedEarly)} stopped early, ` : "";
  const left = s.left === null ? "" : `, ${countText(s.left)} left of ${plural(s.total!, "run")}`;
  console.log(
    `${style.bold(s.name)}: ${countText(s.ok)} ok, ${early}${failed}${left}${s.costUsd > 0 ? `, ${usdText(s.costUsd)}` : ""}`,
  );
  if (s.decision) console.log(printable(s.decision.sentence));
  if (s.runner) {
    const eta = s.etaMs === null ? "" : `, about ${durationText(s.etaMs)} to go`;
    console.log(
      `${s.isPaused ? "paused" : "running"}: process ${s.runner.pid} on ${s.runner.host} since ${s.runner.startedAt}${eta}`,
    );
    for (const { id, sinceMs } of s.running.slice(0, 10))
      console.log(`  ${id}  ${durationText(Date.now() - sinceMs)}`);
    if (s.running.length > 10) console.log(`  and ${countText(s.running.length - 10)} more`);
  } else
    console.log(
      s.left === 0 || s.left === null || s.decision?.isOver
        ? "not running"
        : "not running; the same `assay run` resumes it",
    );
  for (const line of failureLines(s.failures)) console.log(line);
  console.log(style.dim(relative(process.cwd(), s.studyDir) || "."));
}

/** One folder of many that can't be read keeps nobody from the others. */
function passOver(error: unknown): undefined {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(`assay: ${error.message}\n`);
}

const LOOK_MS = 500;

/** Shows how far a study is until it ends; false when Ctrl-C, which leaves it running, came first. */
async function followed(studyDir: string, { json }: StatusOptions): Promise<boolean> {
  const leave = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => leave.abort());
  const { isTTY } = process.stdout;
  let shown = "";
  for (;;) {
    const runner = await runnerOf(studyDir);
    if (!runner || leave.signal.aborted) {
      if (shown !== "" && isTTY) process.stdout.write("\r\x1b[K");
      if (!runner) return true;
      const title = titleOf(studyDir);
      process.stderr.write(
        `${title} continues; \`assay status ${title} --follow\` follows it again, \`assay cancel ${title}\` ends it\n`,
      );
      return false;
    }
    const text = liveText(runner);
    if (text !== shown && !json) process.stdout.write(isTTY ? `\r\x1b[K${text}` : `${text}\n`);
    shown = text;
    await sleep(LOOK_MS, { signal: leave.signal });
  }
}

function liveText({ live }: Runner): string {
  if (!live) return "starting";
  const { finished, ok, failed, total, running, state = "running", standing } = live;
  const done = finished + ok + failed;
  const howFar = { done, total, failed, running: running.length, etaMs: etaMs(live), standing };
  return `${state === "running" ? "" : `${state}  `}${progressText(howFar)}`;
}
