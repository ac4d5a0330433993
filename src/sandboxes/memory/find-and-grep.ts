import { type Command, filesBelow, linesOf, readFlags, resolvePath, told } from "./small-commands.ts";

export const grep: Command = (args, shell, piped) => {
  const { flags, rest } = readFlags(args, "e");
  const [first, ...others] = rest;
  const pattern = flags.get("e") ?? first;
  if (pattern === undefined) return told(["grep: no pattern"], 2);
  const paths = flags.has("e") ? rest : others;
  const isMatch = matcher(pattern, flags);
  if (typeof isMatch === "string") return told([`grep: ${isMatch}`], 2);
  const isDeep = flags.has("r") || flags.has("R");
  if (paths.length === 0 && !isDeep) {
    const lines = linesOf(piped ?? "").filter(isMatch);
    return told(lines, lines.length > 0 ? 0 : 1);
  }
  const found: string[] = [];
  for (const path of paths.length > 0 ? paths : ["."]) {
    const files = filesBelow(path, shell);
    if (!files) return told([`grep: ${path}: No such file or directory`], 2);
    const isNamed = paths.length > 1 || files[0] !== resolvePath(path);
    const prefix = path.startsWith("./") || path === "." ? "./" : "";
    for (const file of files) {
      const hits = linesOf(shell.files.get(file)!).flatMap((line, i) =>
        isMatch(line) ? [[i + 1, line]] : [],
      );
      if (flags.has("l")) found.push(...(hits.length > 0 ? [prefix + file] : []));
      else
        for (const [number, line] of hits)
          found.push(`${isNamed ? `${prefix}${file}:` : ""}${flags.has("n") ? `${number}:` : ""}${line}`);
    }
  }
  return told(found, found.length > 0 ? 0 : 1);
};

function matcher(pattern: string, flags: Map<string, string>): ((line: string) => boolean) | string {
  // In basic expressions these stand for themselves, and with a backslash for more.
  const swapped = flags.has("E")
    ? pattern
    : pattern.replaceAll(/\\?[(){}|+?]/g, (part) => (part.length === 2 ? part[1]! : `\\${part}`));
  const literal = pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const source = flags.has("F") ? literal : swapped;
  try {
    const expression = new RegExp(flags.has("w") ? `\\b(?:${source})\\b` : source, flags.has("i") ? "i" : "");
    const isWanted = !flags.has("v");
    return (line) => expression.test(line) === isWanted;
  } catch {
    return `invalid expression ${pattern}`;
  }
}

export const find: Command = (args, shell) => {
  const start = args.findIndex((arg) => arg.startsWith("-"));
  const paths = start < 0 ? args : args.slice(0, start);
  const tests = readTests(start < 0 ? [] : args.slice(start));
  if (typeof tests === "string") return told([`find: ${tests} does not work in this sandbox`], 1);
  const found: string[] = [];
  for (const path of paths.length > 0 ? paths : ["."]) {
    const files = filesBelow(path, shell);
    if (!files) return told([`find: '${path}': No such file or directory`], 1);
    const prefix = path.startsWith("./") || path === "." ? "./" : "";
    for (const file of files) if (tests.every((test) => test(prefix + file))) found.push(prefix + file);
  }
  return told(found);
};

/** The conditions of find that make sense where there are only files; the word that it does not know. */
function readTests(args: string[]): ((path: string) => boolean)[] | string {
  const tests: ((path: string) => boolean)[] = [];
  for (let i = 0, isWanted = true; i < args.length; i++) {
    const word = args[i]!;
    if (word === "-not" || word === "!") {
      isWanted = false;
      continue;
    }
    const value = args[++i] ?? "";
    const glob = globExpression(value);
    const wanted = isWanted;
    isWanted = true;
    if (word === "-name") tests.push((path) => glob.test(path.split("/").at(-1)!) === wanted);
    else if (word === "-path") tests.push((path) => glob.test(path) === wanted);
    else if (word !== "-type" || value !== "f") return `${word} ${value}`.trim();
  }
  return tests;
}

function globExpression(glob: string): RegExp {
  const source = glob
    .replaceAll(/[\\^$.+()[\]{}|]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`);
}
