import { existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { errorText } from "../../../core/errors.ts";
import { RunFailure } from "../../../core/run.ts";
import { isBelow } from "../../../sandboxes/inside-path.ts";
import { findProgram } from "../../command/find-program.ts";
import { namedFile } from "../find-near.ts";
import type { SeenPaths } from "../seen-paths.ts";
import type { AgentJob } from "./agent.ts";
import { fillWords, type WordTemplate } from "./fill-words.ts";
import type { FoundAgent } from "./installed.ts";

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
  { seen, gateway, found }: { seen: SeenPaths; gateway: string; found: FoundAgent | undefined },
): ProgramWords {
  const { task, params, seed, places, baseDir } = job;
  const promptFile = `${places.outDir}/prompt.md`;
  const prompt = seen.rename(task.instruction);
  writeFileSync(promptFile, prompt);
  const files: string[] = [];
  const locate = (word: string) => {
    const found = namedFile(word, baseDir);
    if (found !== undefined) files.push(found);
    return found ?? word;
  };
  const located = command.map((part) => (typeof part === "string" ? locate(part) : part.map(locate)));
  const words = fillWords(located, {
    prompt,
    prompt_file: `${seen.inside(places.outDir)}/prompt.md`,
    repo: seen.inside(places.repo),
    model: params.model,
    out_dir: seen.inside(places.outDir),
    seed: String(seed),
    task_id: task.id,
    gateway,
  });
  if (words.some((word) => Buffer.byteLength(word) > LONGEST_WORD_BYTES))
    throw new RunFailure(
      "infrastructure",
      `the prompt is too long for a word of a command: give ${name} \${prompt_file}`,
    );
  try {
    const readable = files.flatMap((file) => readableOf(file, job));
    if (found?.folder !== undefined)
      return { argv: [found.path, ...words.slice(1)], readable: [...readable, found.folder] };
    return { argv: [startWord(words[0]!, job), ...words.slice(1)], readable };
  } catch (error) {
    throw new RunFailure("infrastructure", `the agent ${name} can't start: ${errorText(error)}`);
  }
}

/**
 * What is started. A sandbox with files of its own looks a name up itself: what our PATH has first, such as a shim in the
 * home folder, need not be there.
 */
function startWord(word: string, { sandbox, baseDir }: AgentJob): string {
  const isThere = word.includes("/") && existsSync(word);
  return sandbox.isolates.includes("files") && !isThere ? word : findProgram(word, baseDir);
}

/**
 * What a sandbox shows of a file that the command names: with all that lies beside it where it is in a folder of its own
 * below the study's, the file alone where tasks, results or keys may be beside it, and nothing from elsewhere.
 */
function readableOf(file: string, { task, baseDir }: AgentJob): string[] {
  const roots = [process.cwd(), baseDir, dirname(baseDir)];
  const folder = dirname(file);
  if (!roots.some((root) => isBelow(file, root))) return [];
  const isCommon =
    roots.some((root) => isBelow(root, folder)) || isBelow(task.dir, folder) || isBelow(file, task.dir);
  return [isCommon ? file : folder];
}
