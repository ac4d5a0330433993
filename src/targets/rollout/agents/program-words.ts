import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { errorText } from "../../../core/errors.ts";
import { RunFailure } from "../../../core/run.ts";
import { isBelow } from "../../../sandboxes/inside-path.ts";
import { findProgram } from "../../command/find-program.ts";
import { findNear } from "../find-near.ts";
import type { SeenPaths } from "../seen-paths.ts";
import type { AgentJob } from "./agent.ts";
import { fillWords, type WordTemplate } from "./fill-words.ts";

interface ProgramWords {
  argv: string[];
  /** What of the study's files the program may read. */
  readable: string[];
}

/** The kernel takes no longer word than 128 KiB. */
const LONGEST_WORD_BYTES = 131_000;

/** A program's words for one rollout. Files that the study names get their whole paths, since it starts elsewhere. */
export function programWords(
  { name, command }: { name: string; command: WordTemplate },
  job: AgentJob,
  seen: SeenPaths,
): ProgramWords {
  const { task, params, seed, places, baseDir } = job;
  const promptFile = `${places.outDir}/prompt.md`;
  const prompt = seen.rename(task.instruction);
  writeFileSync(promptFile, prompt);
  const files: string[] = [];
  const locate = (word: string) => {
    const found = mayBeFile(word) ? findNear(word, baseDir) : undefined;
    if (found !== undefined) files.push(found);
    return found ?? word;
  };
  const located = command.map((part) => (typeof part === "string" ? locate(part) : part.map(locate)));
  const words = fillWords(located, {
    prompt,
    prompt_file: promptFile,
    repo: seen.inside(places.repo),
    model: params.model,
    out_dir: places.outDir,
    seed: String(seed),
    task_id: task.id,
  });
  if (words.some((word) => Buffer.byteLength(word) > LONGEST_WORD_BYTES))
    throw new RunFailure(
      "infrastructure",
      `the prompt is too long for a word of a command: give ${name} \${prompt_file}`,
    );
  try {
    const argv = [findProgram(words[0]!, baseDir), ...words.slice(1)];
    return { argv, readable: files.flatMap((file) => readableOf(file, task.dir)) };
  } catch (error) {
    throw new RunFailure("infrastructure", `the agent ${name} can't start: ${errorText(error)}`);
  }
}

function mayBeFile(word: string): boolean {
  return word.includes("/") && !/\$\{|:\/\//.test(word) && !word.startsWith("-");
}

/** A script may read what lies beside it, but never a task: its tests are in there. */
function readableOf(file: string, taskDir: string): string[] {
  if (isBelow(file, taskDir)) return [];
  return [isBelow(taskDir, dirname(file)) ? file : dirname(file)].filter((path) => !isBelow(taskDir, path));
}
