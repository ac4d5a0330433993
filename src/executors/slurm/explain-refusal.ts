import { UserError } from "../../core/errors.ts";

const FULL = /submit limit|MaxSubmit|AssocGrp|policy/i;

/** What Slurm says, and what to do about it. The first that fits. */
const REMEDIES: [RegExp, string][] = [
  [/partition/i, "`sinfo` lists the partitions; name one in executor: {slurm: {partition: NAME}}."],
  [FULL, "Submit less at once: a larger executor.slurm.pack makes fewer tasks."],
  [/account/i, "`sacctmgr show associations user=$USER` lists your accounts; set executor.slurm.account."],
  [/qos/i, "`sacctmgr show qos` lists them; set executor.slurm.qos."],
  [
    /gres|generic resource/i,
    '`sinfo -o "%N %G"` lists what nodes have; set executor.slurm.gres, such as gpu:1.',
  ],
  [/time/i, '`sinfo -o "%P %l"` lists the longest times; set executor.slurm.time.'],
  [/memory|node configuration/i, '`sinfo -o "%N %c %m"` lists cores and memory of nodes; ask for less.'],
];

const PASSING = /unable to contact|timed out|connection refused|temporarily|try again|zero bytes/i;

/** Whether asking again later may help: the controller restarts, or is too busy. */
export function isPassing(stderr: string): boolean {
  return PASSING.test(stderr);
}

/** Whether fewer tasks, or the same ones when others have ended, may be taken. */
export function isFull(stderr: string): boolean {
  return FULL.test(stderr);
}

export function explainRefusal(words: string): UserError {
  const remedy = REMEDIES.find(([pattern]) => pattern.test(words))?.[1];
  return new UserError(`Slurm refused the job array: ${words}`, {
    remedy: remedy ?? "Check executor.slurm; `sbatch --test-only` with the same words says more.",
  });
}
