import type { FileTree } from "../sandbox.ts";

export interface Shell {
  files: Map<string, string>;
  /** As the workspace was opened. */
  original: FileTree;
  timeoutMs: number;
}

export interface Told {
  output: string;
  exitCode: number;
  isTimeout?: boolean;
}

export type Command = (args: string[], shell: Shell, piped: string | undefined) => Told;

/** A path below the root without dots; undefined where it leads outside. */
export function resolvePath(path: string): string | undefined {
  if (path.startsWith("/")) return undefined;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.pop() === undefined) return undefined;
    if (part !== "..") parts.push(part);
  }
  return parts.join("/");
}

/** The files that a path names: itself, or all below it. */
export function filesBelow(path: string, { files }: Shell): string[] | undefined {
  const full = resolvePath(path);
  if (full === undefined) return undefined;
  if (files.has(full)) return [full];
  const below = [...files.keys()].filter((name) => full === "" || name.startsWith(`${full}/`)).sort();
  return below.length > 0 ? below : undefined;
}

/** The texts that a filter works on: its files, or what is piped to it. */
export function inputs(paths: string[], shell: Shell, piped: string | undefined): string | Told {
  if (paths.length === 0) return piped ?? "";
  const texts = paths.map((path) => shell.files.get(resolvePath(path) ?? ""));
  const missing = texts.indexOf(undefined);
  if (missing < 0) return texts.join("");
  return { output: `${paths[missing]}: No such file or directory\n`, exitCode: 1 };
}

/** Splits flags from operands; `-n 5` and `-n5` give the flag its value where it takes one. */
export function readFlags(args: string[], valued = ""): { flags: Map<string, string>; rest: string[] } {
  const flags = new Map<string, string>();
  const rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (!/^-[A-Za-z0-9]/.test(arg)) {
      rest.push(arg);
      continue;
    }
    if (/^-\d+$/.test(arg)) flags.set("n", arg.slice(1));
    else if (valued.includes(arg[1]!)) flags.set(arg[1]!, arg.length > 2 ? arg.slice(2) : (args[++i] ?? ""));
    else for (const flag of arg.slice(1)) flags.set(flag, "");
  }
  return { flags, rest };
}

/** Lines without the empty one behind the last newline. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

export function told(lines: string[], exitCode = 0): Told {
  return { output: lines.map((line) => `${line}\n`).join(""), exitCode };
}
