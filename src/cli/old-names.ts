/** Names that commands and options used to have: they still work, and say what they are called now. */

interface NewName {
  /** The words that stand for it now. */
  words(rest: string[]): string[];
  now: string;
}

const OLD_COMMANDS: Record<string, NewName> = {
  new: { now: "assay init", words: (rest) => ["init", ...rest] },
  attach: { now: "assay status STUDY --follow", words: (rest) => ["status", "--follow", ...rest] },
  eval: { now: "assay score", words: (rest) => ["score", ...rest] },
  images: { now: "assay tasks images", words: (rest) => ["tasks", "images", ...rest] },
  collect: { now: "assay export", words: (rest) => ["export", ...rest] },
  changes: { now: "assay status STUDY --changes", words: (rest) => ["status", "--changes", ...rest] },
  variance: { now: "assay power STUDY --precision 0.05", words: (rest) => ["power", ...withPrecision(rest)] },
  plot: { now: "assay report STUDY --chart KIND", words: (rest) => ["report", ...rest.map(asChart)] },
  schema: { now: "assay setup schema", words: (rest) => ["setup", "schema", ...rest] },
  completion: { now: "assay setup bash", words: (rest) => ["setup", ...rest] },
  "python-path": { now: "assay setup python", words: (rest) => ["setup", "python", ...rest] },
};

/** Spellings that many commands had for one thing. */
const OLD_OPTIONS: Record<string, string> = {
  "--output": "--out",
  "--out-csv": "--out",
  "--out-dir": "--out",
};
const OLD_FORMATS: Record<string, Record<string, string>> = {
  query: { "--csv": "csv" },
  summarize: { "--csv": "csv" },
  compare: { "--md": "md" },
};

/** All of them, for the reference: what was said, and what is said now. */
export const OLD_NAMES: [old: string, now: string][] = [
  ...Object.entries(OLD_COMMANDS).map(([old, { now }]): [string, string] => [`assay ${old}`, now]),
  ["assay variance --threshold", "assay power --precision"],
  ["assay plot --kind", "assay report --chart"],
  ...Object.entries(OLD_OPTIONS),
  ...Object.entries(OLD_FORMATS).flatMap(([command, options]) =>
    Object.entries(options).map(([old, format]): [string, string] => [
      `assay ${command} ${old}`,
      `assay ${command} --format ${format}`,
    ]),
  ),
];

/** A command line in today's words, and what to say of the old ones that were in it. */
export function inNewWords(words: readonly string[]): { words: string[]; notes: string[] } {
  const notes: string[] = [];
  const [name = "", ...rest] = words;
  const renamed = OLD_COMMANDS[name];
  if (renamed) notes.push(renamedText(`assay ${name}`, renamed.now));
  const [command = "", ...options] = renamed ? renamed.words(rest) : words;
  const formats = OLD_FORMATS[command] ?? {};
  const end = options.indexOf("--");
  const mapped = options.flatMap((word, i) => {
    if (!word.startsWith("--") || (end >= 0 && i > end)) return [word];
    const [option, ...value] = word.split("=");
    const format = formats[option!];
    if (format !== undefined && value.length === 0) {
      notes.push(renamedText(option!, `--format ${format}`));
      return ["--format", format];
    }
    const now = OLD_OPTIONS[option!];
    if (now !== undefined) notes.push(renamedText(option!, now));
    return [[now ?? option!, ...value].join("=")];
  });
  return { words: words.length === 0 ? [] : [command, ...mapped], notes };
}

function renamedText(old: string, now: string): string {
  return `\`${old}\` is now \`${now}\`; the old name still works`;
}

function withPrecision(rest: readonly string[]): string[] {
  const words = rest.map((word) => word.replace(/^--threshold(?==|$)/, "--precision"));
  const isSaid = words.some((word) => /^--precision(=|$)/.test(word));
  return isSaid || words.includes("--help") || words.includes("-h")
    ? words
    : [...words, "--precision", "0.05"];
}

function asChart(word: string): string {
  return word.replace(/^--kind(?==|$)/, "--chart");
}
