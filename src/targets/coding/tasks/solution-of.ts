import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RolloutTask, Solution } from "./task.ts";

const NAMES = ["solution.patch", "reference.patch", "solution/solve.sh", "solution.sh"];

export function solutionText({ path, text }: Solution): string {
  return text ?? readFileSync(path, "utf8");
}

/** The task's own solution, under any of the names that tasks have for it. */
export function solutionOf(dir: string, env: Record<string, string> = {}): RolloutTask["solution"] {
  const name = NAMES.find((name) => existsSync(join(dir, name)));
  if (name === undefined) return null;
  const hasEnv = Object.keys(env).length > 0;
  return {
    kind: name.endsWith(".patch") ? "patch" : "script",
    path: join(dir, name),
    ...(hasEnv && { env }),
  };
}
