import { canonicalJson, shortHash } from "../core/hash.ts";
import type { Study } from "../core/study.ts";

/**
 * What a run measures besides its own place in the matrix: the state of the code, and how it is called. `code` is the
 * target's fingerprint; scorers count where what they say decides which runs there are. What is as it is by default adds nothing. Each addition stands behind a space and has no space
 * in it, and a fingerprint ends with a hash or a version without one, so that no two programs share a text.
 */
export function describeProgram(
  code: string,
  { target, env, repeats, iterations }: Study,
  scorers: Record<string, string> = {},
): string {
  const { folder, metrics } = target.kind === "command" ? target : {};
  const parts = [code];
  if (folder !== undefined) parts.push(`cwd#${shortHash(folder)}`);
  if (metrics !== undefined) parts.push(`metrics#${shortHash(canonicalJson(metrics))}`);
  if (Object.keys(scorers).length > 0) parts.push(`score#${shortHash(canonicalJson(scorers))}`);
  if (Object.keys(env).length > 0) parts.push(`env#${shortHash(canonicalJson(env))}`);
  const { measured, batch, timeMs, until } = iterations;
  // A warm-up call is one, whichever key asks for it.
  const warmup = repeats.warmup + iterations.warmup;
  if (warmup > 0 || measured > 1 || batch !== undefined)
    parts.push(
      `x${warmup}+${measured}${batch === undefined ? "" : `*${batch}`}${timeMs === undefined ? "" : `<${timeMs}ms`}${until === undefined ? "" : `~${until}`}`,
    );
  return parts.join(" ");
}

const PARTS =
  /^(?<code>.*?)(?<tasks> tasks#\w+)?(?<cwd> cwd#\w+)?(?<metrics> metrics#\w+)?(?<score> score#\w+)?(?<env> env#\w+)?(?: x\d+\+(?<measured>\d+)(?:\*\w+)?(?:<[\d.]+ms)?(?:~[\d.e-]+)?)?$/s;

function partsOf(program: string): Record<string, string | undefined> {
  return PARTS.exec(program)?.groups ?? {};
}

export const PROGRAM_CHANGED = "program changed";

/** What differs between two programs, in words: the code, the tasks that it brought, or how it is called. */
export function explainProgram(before: string, now: string): string {
  const [was, is] = [partsOf(before), partsOf(now)];
  if (was.code !== is.code) return PROGRAM_CHANGED;
  if (was.tasks !== is.tasks) return "tasks changed";
  if (was.cwd !== is.cwd) return "working folder changed";
  if (was.metrics !== is.metrics) return "patterns of metrics changed";
  if (was.score !== is.score) return "scorers changed";
  return was.env === is.env ? "iterations changed" : "environment variables changed";
}

/** How many measured iterations the runs of such a program have. */
export function iterationsOf(program: string): number {
  return Number(partsOf(program).measured ?? 1);
}
