import { shellWord } from "../../core/escape.ts";

/** How a task says that it could not even begin: Slurm passes the code on, whatever the node can see. */
const NO_FOLDER = 66;
const NO_PROGRAM = 67;

/** What Slurm starts on a node: looks whether the study and the program are there, then becomes the program. */
export function taskScript({ dir, node, program }: { dir: string; node: string; program: string }): string {
  return `#!/bin/sh
dir=${shellWord(dir)}
[ -r "$dir/setting.json" ] || exit ${NO_FOLDER}
[ -x ${shellWord(node)} ] && [ -r ${shellWord(program)} ] || exit ${NO_PROGRAM}
exec ${shellWord(node)} ${shellWord(program)} "$dir" >>"$dir/log/$SLURM_ARRAY_TASK_ID.txt" 2>&1
`;
}

/** Why a task ended before it said a word. */
export function explainStart({
  exitCode,
  node,
  dir,
}: {
  exitCode: string;
  node: string;
  dir: string;
}): string {
  const code = Number(exitCode.split(":")[0]);
  if (code === NO_FOLDER) return `the folder ${dir} is not visible on node ${node}`;
  if (code === NO_PROGRAM) return `${process.execPath} or Assay itself is missing on node ${node}`;
  return `it ended on node ${node} with exit code ${exitCode}`;
}
