import { UserError } from "../../core/errors.ts";
import type { SlurmOptions } from "../../core/executor.ts";

const UNIT_MINUTES: Record<string, number> = { s: 1 / 60, m: 1, h: 60, d: 1440 };
/** Minutes, m:s, h:m:s, d-h, d-h:m or d-h:m:s; names such as INFINITE are Slurm's too. */
const SLURM_TIME = /^(\d+|\d+:\d+(:\d+)?|\d+-\d+(:\d+){0,2}|[A-Z]+)$/;

export interface Submission {
  name: string;
  comment: string;
  tasks: number;
  script: string;
}

/** The words after `sbatch` that submit one job array. What the user adds comes last, so it wins. */
export function sbatchWords(options: SlurmOptions, { name, comment, tasks, script }: Submission): string[] {
  const throttle = options.concurrent === undefined ? "" : `%${options.concurrent}`;
  const given: Record<string, string | number | undefined> = {
    partition: options.partition,
    account: options.account,
    qos: options.qos,
    time: options.time === undefined ? undefined : slurmTime(options.time),
    mem: options.memory,
    gres: options.gres,
  };
  return [
    "--parsable",
    `--job-name=${name}`,
    `--comment=${comment}`,
    `--array=0-${tasks - 1}${throttle}`,
    "--requeue",
    "--nodes=1",
    "--ntasks=1",
    `--cpus-per-task=${options.cpus ?? 1}`,
    // The folders of the study may be missing on a broken node, and then nothing would start that could say so.
    "--chdir=/",
    "--output=/dev/null",
    "--export=ALL",
    ...Object.entries(given).flatMap(([word, value]) => (value === undefined ? [] : [`--${word}=${value}`])),
    ...(options.extra ?? []),
    script,
  ];
}

/** A duration such as 90m or 2h becomes Slurm's minutes; what Slurm writes itself stays as it is. */
export function slurmTime(time: string): string {
  const duration = /^(\d+(?:\.\d+)?)\s*([smhd])$/.exec(time);
  if (duration) return String(Math.max(1, Math.ceil(Number(duration[1]) * UNIT_MINUTES[duration[2]!]!)));
  if (SLURM_TIME.test(time)) return time;
  throw new UserError("", {
    place: { path: "executor.slurm.time" },
    expected: "a time as Slurm writes it (30, 2:00:00, 1-12) or a duration (90m, 2h)",
    got: `"${time}"`,
  });
}
