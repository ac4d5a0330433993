/** One instruction of a Dockerfile. */
export interface Instruction {
  name: string;
  /** Its words; flags such as --chown apart. */
  words: string[];
  flags: string[];
  /** All that stood behind its name. */
  rest: string;
}

/** The instructions of a Dockerfile, or nothing that would be wrong for one that is no Dockerfile. */
export function parseDockerfile(text: string): Instruction[] {
  const lines: string[] = [];
  let open = "";
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(#|$)/.test(line)) continue;
    const isContinued = /\\\s*$/.test(line);
    open += isContinued ? `${line.replace(/\\\s*$/, "")} ` : line;
    if (isContinued) continue;
    lines.push(open.trim());
    open = "";
  }
  if (open.trim() !== "") lines.push(open.trim());
  return lines.map((line) => {
    const [, name = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
    const all = wordsOf(rest);
    const flags = all.filter((word) => word.startsWith("--"));
    return { name: name.toUpperCase(), rest, flags, words: all.filter((word) => !word.startsWith("--")) };
  });
}

/** In the form of a list, or as a shell splits them, quotes and all. */
function wordsOf(text: string): string[] {
  if (text.startsWith("[")) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) return list.map(String);
    } catch {
      // No list after all.
    }
  }
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
}
