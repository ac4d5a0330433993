import { extname, resolve } from "node:path";
import { isProgram } from "../../sandboxes/find-program.ts";

const BY_ENDING: Record<string, string[]> = {
  ".py": ["python3"],
  ".js": ["node"],
  ".mjs": ["node"],
  ".cjs": ["node"],
  ".rb": ["ruby"],
  ".pl": ["perl"],
  ".bash": ["bash"],
};

/**
 * The words that start a script, without its path: what its first line says, else what its ending says, else a shell. So a
 * script needs no permission to be executed, and who starts it can tell beforehand that its interpreter is missing.
 */
export function interpreterOf(path: string, content: string, shell = "sh"): string[] {
  const line = /^#!\s*(.+)$/m.exec(content.slice(0, 512).split("\n", 1)[0]!)?.[1]?.trim();
  if (line) {
    const words = line.split(/\s+/);
    const isEnv = words[0]!.endsWith("/env");
    const named = isEnv ? words.slice(words[1] === "-S" ? 2 : 1) : words;
    if (named.length > 0) return named;
  }
  return BY_ENDING[extname(path).toLowerCase()] ?? [shell];
}

/** Whether a program can be started: a path as it is, a name by its lookup in PATH. */
export function hasProgram(name: string, path = process.env.PATH ?? ""): boolean {
  const places = name.includes("/") ? [name] : path.split(":").map((folder) => resolve(folder, name));
  return places.some(isProgram);
}
