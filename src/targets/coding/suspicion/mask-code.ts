/** A source text with what is no code blanked out, line by line as it was. */
export interface MaskedCode {
  /** Without comments and without what stands in strings. */
  code: string[];
  /** Without comments. */
  text: string[];
  /** How many brackets are open where each line begins. */
  depth: number[];
}

type Language = "js" | "py" | "sh";

const LANGUAGES: Record<string, Language> = {
  ...{ js: "js", mjs: "js", cjs: "js", jsx: "js", ts: "js", mts: "js", cts: "js", tsx: "js" },
  ...{ py: "py", sh: "sh", bash: "sh", bats: "sh" },
};

export function languageOf(path: string): Language | undefined {
  return LANGUAGES[/\.(\w+)$/.exec(path)?.[1] ?? ""];
}

/** After one of these a slash begins a regular expression. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%<>~^\n]|\breturn|\bcase|\btypeof)\s*$/;

/** Good enough to tell code from words: a text that fools it is blanked too little or too much, and nothing breaks. */
export function maskCode(source: string, language: Language): MaskedCode {
  const [code, text] = [source.split(""), source.split("")];
  const blank = (from: number, to: number, isComment: boolean) => {
    for (let i = from; i < to; i++) {
      if (source[i] === "\n") continue;
      code[i] = " ";
      if (isComment) text[i] = " ";
    }
  };
  /** Templates in which code stands, by how many braces are open in that code. */
  const templates: number[] = [];
  let i = 0;
  while (i < source.length) {
    const rest = source.slice(i, i + 3);
    const comment = commentEnd(source, i, language);
    if (comment !== undefined) {
      blank(i, comment, true);
      i = comment;
    } else if (language === "py" && (rest === '"""' || rest === "'''")) {
      const end = source.indexOf(rest, i + 3);
      const to = end < 0 ? source.length : end + 3;
      blank(i + 3, to - 3, false);
      i = to;
    } else if (source[i] === '"' || source[i] === "'") {
      const to = stringEnd(source, i, language);
      blank(i + 1, to - 1, false);
      i = to;
    } else if (language === "js" && (source[i] === "`" || (source[i] === "}" && templates.at(-1) === 0))) {
      if (source[i] === "}") templates.pop();
      const { to, isOpen } = templateEnd(source, i + 1);
      blank(i + 1, isOpen ? to - 2 : to - 1, false);
      if (isOpen) templates.push(0);
      i = to;
    } else if (
      language === "js" &&
      source[i] === "/" &&
      BEFORE_REGEX.test(source.slice(Math.max(0, i - 20), i))
    ) {
      const to = regexEnd(source, i);
      blank(i + 1, to - 1, false);
      i = to;
    } else {
      if (templates.length > 0 && source[i] === "{") templates[templates.length - 1]!++;
      if (templates.length > 0 && source[i] === "}") templates[templates.length - 1]!--;
      i++;
    }
  }
  const lines = code.join("").split("\n");
  return { code: lines, text: text.join("").split("\n"), depth: depthsOf(lines) };
}

function commentEnd(source: string, at: number, language: Language): number | undefined {
  const lineEnd = () => (source.indexOf("\n", at) + 1 || source.length + 1) - 1;
  if (language !== "js") {
    const isFirst = at === 0 || /[\s;]/.test(source[at - 1]!);
    return source[at] === "#" && (language === "py" || isFirst) ? lineEnd() : undefined;
  }
  if (source.startsWith("//", at) || (at === 0 && source.startsWith("#!"))) return lineEnd();
  if (!source.startsWith("/*", at)) return undefined;
  const end = source.indexOf("*/", at + 2);
  return end < 0 ? source.length : end + 2;
}

function stringEnd(source: string, at: number, language: Language): number {
  const quote = source[at]!;
  const hasEscapes = language !== "sh" || quote === '"';
  for (let i = at + 1; i < source.length; i++) {
    if (source[i] === "\\" && hasEscapes) i++;
    else if (source[i] === quote) return i + 1;
    else if (source[i] === "\n" && language !== "sh") return i;
  }
  return source.length;
}

function templateEnd(source: string, at: number): { to: number; isOpen: boolean } {
  for (let i = at; i < source.length; i++) {
    if (source[i] === "\\") i++;
    else if (source[i] === "`") return { to: i + 1, isOpen: false };
    else if (source.startsWith("${", i)) return { to: i + 2, isOpen: true };
  }
  return { to: source.length, isOpen: false };
}

function regexEnd(source: string, at: number): number {
  let isInClass = false;
  for (let i = at + 1; i < source.length && source[i] !== "\n"; i++) {
    if (source[i] === "\\") i++;
    else if (source[i] === "[") isInClass = true;
    else if (source[i] === "]") isInClass = false;
    else if (source[i] === "/" && !isInClass) return i + 1;
  }
  return at + 1;
}

function depthsOf(lines: readonly string[]): number[] {
  let depth = 0;
  return lines.map((line) => {
    const before = depth;
    for (const char of line) {
      if ("({[".includes(char)) depth++;
      if (")}]".includes(char)) depth = Math.max(0, depth - 1);
    }
    return before;
  });
}
