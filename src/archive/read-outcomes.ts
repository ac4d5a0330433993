import { statSync } from "node:fs";
import { UserError } from "../core/errors.ts";
import { canonicalJson } from "../core/hash.ts";
import { faultOf, type RunRecord } from "../core/run.ts";
import { latestRecords } from "./read-records.ts";
import { scanCsv } from "./scan-csv.ts";

/** What earlier agents made of tasks: one row per agent, null where it did not try. */
export interface Outcomes {
  tasks: string[];
  rows: (number | null)[][];
}

/**
 * Reads a table with one row per agent and one column per task, or the runs of a study's folder by their metric, of which those
 * that the agent broke count as the worst value.
 */
export function readOutcomes(path: string, metric: string, worst: number): Outcomes {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? outcomesOf(latestRecords(path), { path, metric, worst }) : readMatrix(path);
}

/** The first column names the agents. */
function readMatrix(path: string): Outcomes {
  let tasks: string[] = [];
  const rows: (number | null)[][] = [];
  scanCsv(path, (columns) => {
    tasks = columns.slice(1);
    return (row) =>
      rows.push(
        tasks.map((task, i) => {
          const text = row.text(i + 1).trim();
          const value = Number(text);
          if (Number.isFinite(value)) return text === "" ? null : value;
          throw new UserError(`${path}, row ${row.number}, column "${task}"`, {
            expected: "a number, or nothing where the agent did not try the task",
            got: `"${text}"`,
            remedy: "History is one row per agent and one column per task.",
          });
        }),
      );
  });
  return { tasks, rows };
}

/** Runs of the same parameters are one agent's; several on one task are averaged. */
function outcomesOf(
  records: readonly RunRecord[],
  { path, metric, worst }: { path: string; metric: string; worst: number },
): Outcomes {
  const places = new Map<string, number>();
  const agents = new Map<string, Map<string, { sum: number; runs: number }>>();
  for (const { task, params, variant, outcome, metrics } of records) {
    const fault = faultOf(outcome);
    const value = fault === undefined ? metrics[metric] : fault === "agent" ? worst : undefined;
    if (task === null || typeof value !== "number" || !Number.isFinite(value)) continue;
    if (!places.has(task)) places.set(task, places.size);
    const name = canonicalJson([variant ?? null, params]);
    const own = agents.get(name) ?? agents.set(name, new Map()).get(name)!;
    const cell = own.get(task) ?? { sum: 0, runs: 0 };
    own.set(task, { sum: cell.sum + value, runs: cell.runs + 1 });
  }
  if (agents.size === 0)
    throw new UserError(`${path} has no earlier outcomes`, {
      expected: `runs on tasks that report ${metric}`,
      got: `${records.length} runs without`,
    });
  const tasks = [...places.keys()];
  const rows = [...agents.values()].map((own) =>
    tasks.map((task) => {
      const cell = own.get(task);
      return cell === undefined ? null : cell.sum / cell.runs;
    }),
  );
  return { tasks, rows };
}
