import type { FleetView, FleetWorker } from "../core/fleet-view.ts";
import { durationText, fixedText, numberText, plural } from "../core/number-text.ts";
import { printable, type styleFor, table } from "./terminal.ts";

type Style = ReturnType<typeof styleFor>;

const MOST_RUNS = 30;

/** A fleet for a person: what is wrong stands where it is looked for, and is said in words. */
export function fleetText(view: FleetView, style: Style): string {
  const parts = [
    headline(view, style),
    section("workers", workersTable(view), style),
    section("running now", runsTable(view), style),
    section("studies", studiesTable(view), style),
    section("waiting, by what it needs", classesTable(view), style),
    section("limits", limitsTable(view), style),
    section("trouble", troubleLines(view, style), style),
  ];
  return parts.filter(Boolean).join("\n\n");
}

function headline({ queue, workers }: FleetView, style: Style): string {
  const living = workers.filter(({ state }) => state !== "silent" && state !== "refused");
  if (workers.length === 0)
    return `${style.bold(queue)}: no worker is there; start some with \`assay worker --queue ${queue}\``;
  const slots = living.reduce((sum, { jobs }) => sum + jobs, 0);
  const doing = living.reduce((sum, worker) => sum + worker.doing.length, 0);
  const rate = living.reduce((sum, { perMinute }) => sum + perMinute, 0);
  const facts = [
    `${plural(living.length, "worker")} with ${plural(slots, "place")}`,
    `${plural(doing, "run")} under way`,
    `${rateText(rate)} runs per minute`,
  ];
  return `${style.bold(queue)}: ${facts.join(", ")}`;
}

function workersTable({ workers, nowMs }: FleetView): string {
  if (workers.length === 0) return "";
  const rows = workers.map((worker) => [
    worker.id,
    worker.version,
    stateText(worker, nowMs),
    `${worker.doing.length}/${worker.jobs}`,
    `${worker.cores}, ${fixedText(worker.memoryMb / 1024, 1)} GB`,
    worker.labels.join(",") || "-",
    worker.done,
    worker.failed,
    rateText(worker.perMinute),
  ]);
  return table(
    ["worker", "version", "state", "busy", "cores, memory", "labels", "done", "failed", "a minute"],
    rows,
  );
}

function stateText({ state, seenAtMs }: FleetWorker, nowMs: number): string {
  return state === "silent" ? `silent for ${durationText(nowMs - seenAtMs)}` : state;
}

function runsTable({ workers, nowMs }: FleetView): string {
  const runs = workers
    .filter(({ state }) => state !== "silent")
    .flatMap(({ id, doing }) => doing.map((one) => ({ ...one, worker: id })))
    .sort((a, b) => a.sinceMs - b.sinceMs);
  if (runs.length === 0) return "";
  const rows = runs
    .slice(0, MOST_RUNS)
    .map(({ study, run, worker, sinceMs }) => [
      study,
      run,
      worker,
      durationText(Math.max(0, nowMs - sinceMs)),
    ]);
  const rest = runs.length > MOST_RUNS ? `\nand ${runs.length - MOST_RUNS} more` : "";
  return table(["study", "run", "worker", "for"], rows) + rest;
}

function studiesTable({ studies, nowMs }: FleetView): string {
  if (studies.length === 0) return "";
  const rows = studies.map(({ name, host, state, total, ended, failed, startedAtMs, resultsWaiting }) => [
    name,
    host,
    state === "away" ? "away (its results wait)" : state,
    `${ended}/${total ?? "?"}`,
    failed,
    resultsWaiting,
    durationText(nowMs - startedAtMs),
  ]);
  return table(["study", "run by", "state", "ended", "failed", "results waiting", "for"], rows);
}

function classesTable({ classes }: FleetView): string {
  if (classes.length === 0) return "";
  const rows = classes.map(({ needs, waiting, delayed, underWay, workers }) => [
    needs,
    waiting,
    delayed,
    underWay,
    workers === 0 ? "none" : workers,
  ]);
  return table(["needs", "waiting", "delayed", "under way", "workers that have it"], rows);
}

function limitsTable({ limits }: FleetView): string {
  if (limits.length === 0) return "";
  const rows = limits.map(({ label, underWay, concurrent, perMinute }) => [
    label,
    `${underWay}/${concurrent ?? "-"}`,
    perMinute ?? "-",
  ]);
  return table(["label", "under way", "a minute at most"], rows);
}

function troubleLines({ workers, troubles }: FleetView, style: Style): string {
  const notes = workers.flatMap(({ id, state, notes: all }) => all.map((note) => `${state} ${id}: ${note}`));
  const jobs = troubles.map(
    ({ kind, study, what, why }) => `${kind} ${[study, what].filter(Boolean).join(" ")}: ${why}`,
  );
  return [...notes, ...jobs].map((line) => style.yellow(printable(line))).join("\n");
}

function section(title: string, text: string, style: Style): string {
  return text && `${style.bold(title)}\n${text}`;
}

function rateText(perMinute: number): string {
  return numberText(perMinute, perMinute < 1 ? 1 : 3);
}
