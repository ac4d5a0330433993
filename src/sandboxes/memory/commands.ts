import { find, grep } from "./find-and-grep.ts";
import { runNode } from "./run-node.ts";
import { type Command, filesBelow, inputs, linesOf, readFlags, resolvePath, told } from "./small-commands.ts";

const cat: Command = (paths, shell, piped) => {
  const text = inputs(paths, shell, piped);
  return typeof text === "string"
    ? { output: text, exitCode: 0 }
    : { ...text, output: `cat: ${text.output}` };
};

const ls: Command = (args, shell) => {
  const { flags, rest } = readFlags(args);
  const isDeep = flags.has("R");
  const lines: string[] = [];
  for (const path of rest.length > 0 ? rest : ["."]) {
    const below = filesBelow(path, shell);
    if (!below) return told([`ls: cannot access '${path}': No such file or directory`], 2);
    const root = resolvePath(path)!;
    if (below[0] === root) {
      lines.push(path);
      continue;
    }
    const folders = new Map<string, Set<string>>([[root, new Set()]]);
    for (const file of below) {
      const parts = (root === "" ? file : file.slice(root.length + 1)).split("/");
      let folder = root;
      for (const part of parts) {
        if (!folders.has(folder)) folders.set(folder, new Set());
        folders.get(folder)!.add(part);
        folder = folder === "" ? part : `${folder}/${part}`;
      }
    }
    for (const [folder, names] of isDeep ? [...folders].sort() : [[root, folders.get(root)!] as const]) {
      if (isDeep) lines.push(`${folder === "" ? "." : `./${folder}`}:`);
      lines.push(...[...names].sort());
      if (isDeep) lines.push("");
    }
  }
  return told(lines);
};

const sed: Command = (args, shell, piped) => {
  const { flags, rest } = readFlags(args);
  const range = /^(\d+)(?:,(\d+|\$))?p$/.exec(rest[0] ?? "");
  if (!flags.has("n") || !range) return told(["sed: only sed -n 'A,Bp' works in this sandbox"], 1);
  const text = inputs(rest.slice(1), shell, piped);
  if (typeof text !== "string") return { ...text, output: `sed: ${text.output}` };
  const to = range[2] === "$" ? Number.POSITIVE_INFINITY : Number(range[2] ?? range[1]);
  return told(linesOf(text).slice(Number(range[1]) - 1, to));
};

/** head and tail: as many lines, from one end or the other. */
function take(name: string, choose: (lines: string[], count: number) => string[]): Command {
  return (args, shell, piped) => {
    const { flags, rest } = readFlags(args, "n");
    const text = inputs(rest, shell, piped);
    if (typeof text !== "string") return { ...text, output: `${name}: ${text.output}` };
    return told(choose(linesOf(text), Number(flags.get("n") ?? 10) || 0));
  };
}

const wc: Command = (args, shell, piped) => {
  const { rest } = readFlags(args);
  const text = inputs(rest, shell, piped);
  if (typeof text !== "string") return { ...text, output: `wc: ${text.output}` };
  return told([[linesOf(text).length, ...rest.slice(0, 1)].join(" ")]);
};

const sort: Command = (args, shell, piped) => {
  const { rest } = readFlags(args);
  const text = inputs(rest, shell, piped);
  return typeof text === "string" ? told(linesOf(text).sort()) : { ...text, output: `sort: ${text.output}` };
};

/** The commands of the memory sandbox, each as far as agents commonly use it. */
export const commands: Readonly<Record<string, Command>> = Object.assign(Object.create(null), {
  cat,
  ls,
  sed,
  grep,
  find,
  sort,
  wc,
  head: take("head", (lines, count) => lines.slice(0, count)),
  tail: take("tail", (lines, count) => (count === 0 ? [] : lines.slice(-count))),
  node: runNode,
  pwd: () => told(["/workspace"]),
  echo: (args: string[]) => told([args.join(" ")]),
  true: () => told([]),
} satisfies Record<string, Command>);
