import { relative } from "node:path";
import { studyStatus } from "../api/study-status.ts";
import { findStudy, listStudies } from "../archive/find-study.ts";
import { countText, durationText, plural, usdText } from "../core/number-text.ts";
import { printable, styleFor, table } from "./terminal.ts";

interface StatusOptions {
  outRoot?: string;
  json?: boolean;
}

export async function status(name: string | undefined, options: StatusOptions): Promise<void> {
  const dirs = name === undefined ? listStudies(options.outRoot) : [findStudy(name, options.outRoot)];
  const all = await Promise.all(dirs.map(studyStatus));
  if (options.json) {
    console.log(JSON.stringify(name === undefined ? all : all[0]));
    return;
  }
  if (name === undefined) {
    if (all.length === 0)
      console.log(`no studies below ${options.outRoot ?? "bench_runs"}; \`assay run FILE\` makes one`);
    else {
      const rows = all.map((s) => [
        s.name,
        s.ok,
        s.failed,
        s.left ?? "?",
        s.total ?? "?",
        s.runner ? (s.isPaused ? "paused" : "running") : s.left === 0 ? "done" : "stopped",
      ]);
      console.log(table(["study", "ok", "failed", "left", "total", "state"], rows));
    }
    return;
  }
  const style = styleFor(process.stdout);
  const [s] = all as [Awaited<ReturnType<typeof studyStatus>>];
  const failed = s.failed > 0 ? style.red(`${countText(s.failed)} failed`) : "0 failed";
  const left = s.left === null ? "" : `, ${countText(s.left)} left of ${plural(s.total!, "run")}`;
  console.log(
    `${style.bold(s.name)}: ${countText(s.ok)} ok, ${failed}${left}${s.costUsd > 0 ? `, ${usdText(s.costUsd)}` : ""}`,
  );
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
      s.left === 0 || s.left === null ? "not running" : "not running; the same `assay run` goes on",
    );
  if (s.newestFailures.length > 0) console.log("newest failures:");
  for (const { id, reason } of s.newestFailures) console.log(`  ${id}: ${printable(reason)}`);
  console.log(style.dim(relative(process.cwd(), s.studyDir) || "."));
}
