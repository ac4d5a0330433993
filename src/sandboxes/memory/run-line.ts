import { commands } from "./commands.ts";
import { shellWords } from "./shell-words.ts";
import type { Shell } from "./small-commands.ts";

interface LineResult {
  output: string;
  exitCode: number;
  isTimeout: boolean;
}

/** One command line: words and quotes, `|`, `&&`, `||` and `;`. Everything else of a shell is refused in words. */
export function runLine(line: string, shell: Shell): LineResult {
  const steps = shellWords(line);
  if (typeof steps === "string") return { output: `sh: ${steps}\n`, exitCode: 2, isTimeout: false };
  let output = "";
  let exitCode = 0;
  let piped: string | undefined;
  for (const { words, after, isPiped } of steps) {
    const isSkipped = (after === "&&" && exitCode !== 0) || (after === "||" && exitCode === 0);
    if (isSkipped) continue;
    const [name, ...args] = words;
    const command = name === undefined ? undefined : commands[name];
    const result = command
      ? command(args, shell, piped)
      : { output: `sh: ${name ?? ""}: not found\n`, exitCode: 127 };
    if (result.isTimeout) return { output: output + result.output, exitCode: 124, isTimeout: true };
    exitCode = result.exitCode;
    piped = isPiped ? result.output : undefined;
    if (!isPiped) output += result.output;
  }
  return { output, exitCode, isTimeout: false };
}
