import { Document, visit } from "yaml";
import { splitWords } from "../../core/command-line.ts";
import { UserError } from "../../core/errors.ts";
import { hashText } from "../../core/hash.ts";
import type { Value } from "../../core/params.ts";
import { nearest } from "../../core/suggest.ts";

/** What somebody wants to try: a command line with `{name}` where a value goes. */
export interface Trial {
  command: string;
  /** By name, the values to try. */
  values: Record<string, Value[]>;
  seeds: number | number[];
  /** Patterns, or names of metrics that the program writes to a file; the first is what the study is about. */
  metrics: string[];
  goal?: "minimize" | "maximize";
  /** The folder that the command is for, seen from the study file. */
  cwd?: string;
}

const RUN_WORDS = ["seed", "task", "repeat", "variant", "run_id", "out_dir"];
const PLACEHOLDER = /\$?\{([A-Za-z_][\w.-]*)\}/g;
const PATTERN = /[\\()[\]*+?^$|{}]/;
const EXAMPLE = "assay try 'python3 agent.py --model {model}' model=small,big";

/** A study that does what the command line says, as plain data. */
export function trialStudy(trial: Trial): Record<string, unknown> {
  const { values, seeds, goal, cwd } = trial;
  if (trial.command.trim() === "") throw new UserError("no command", { remedy: `For instance ${EXAMPLE}.` });
  const argv = splitWords(trial.command).map((word) => word.replaceAll(PLACEHOLDER, "${$1}"));
  checkNames(trial);
  const metrics = trial.metrics.map(readMetric);
  const patterns = metrics.flatMap(({ name, pattern }) => (pattern === undefined ? [] : [[name, pattern]]));
  const [first, ...also] = metrics.map(({ name }) => name);
  const entries = Object.entries(values);
  const fixed = entries.flatMap(([name, [value, ...more]]) => (more.length > 0 ? [] : [[name, value]]));
  const varied = entries.filter(([, list]) => list.length > 1);
  return {
    study: nameOf(argv),
    target: {
      command: argv,
      ...(cwd !== undefined && { cwd }),
      ...(patterns.length > 0 && { metrics: Object.fromEntries(patterns) }),
    },
    ...(fixed.length > 0 && { params: Object.fromEntries(fixed) }),
    ...(varied.length > 0 && { matrix: Object.fromEntries(varied) }),
    seeds,
    ...(metrics.some(({ name }) => name === "duration_ms") && { instruments: ["timing"] }),
    ...(first !== undefined && {
      analysis: { metric: first, ...(goal && { goal }), ...(also.length > 0 && { also }) },
    }),
  };
}

/** Every `{name}` has values, and all values are used. */
function checkNames({ command, values }: Trial): void {
  const used = [...command.matchAll(PLACEHOLDER)].map(([, name]) => name!);
  const given = Object.keys(values);
  for (const name of used) {
    if (given.includes(name) || RUN_WORDS.includes(name)) continue;
    const [near] = nearest(name, [...given, ...RUN_WORDS], 1);
    throw new UserError(`{${name}} in the command has no values`, {
      remedy: near === undefined ? `Add ${name}=VALUE,VALUE.` : `Did you mean {${near}}?`,
    });
  }
  for (const name of given) {
    if (used.includes(name)) continue;
    throw new UserError(`the command does not use ${name}`, {
      remedy: `Write {${name}} where the program takes it: '${command} --${name} {${name}}'.`,
    });
  }
}

/** A pattern brings its name: of its group (`(?<loss>...)`), or the word before it. */
function readMetric(text: string): { name: string; pattern?: string } {
  if (!PATTERN.test(text)) return { name: text.trim() };
  try {
    new RegExp(text);
  } catch {
    throw new UserError("--metric", {
      expected: "a regular expression such as 'accuracy: ([0-9.]+)', or a metric's name",
      got: JSON.stringify(text),
      remedy: "Put a backslash before a bracket that is meant literally.",
    });
  }
  const [, group] = /\(\?<([A-Za-z_]\w*)>/.exec(text) ?? [];
  const before = text.split(/(?<!\\)\(/)[0]!.replaceAll(/\\[a-zA-Z]|\[[^\]]*\]/g, " ");
  return { name: group ?? /([A-Za-z_][\w.-]*)\W*$/.exec(before)?.[1] ?? "value", pattern: text };
}

/** By the script, the module or the program. */
function nameOf(argv: readonly string[]): string {
  const script = argv.find((word) => /^[^-$].*\.\w{1,4}$/.test(word));
  const module = argv[argv.indexOf("-m") + 1];
  const word = script ?? (argv.includes("-m") && module ? module : argv[0]!);
  const stem = word
    .split("/")
    .at(-1)!
    .replace(/\.\w{1,4}$/, "");
  return stem.replaceAll(/[^\w.-]+/g, "-").replace(/^[-.]+/, "") || "trial";
}

/** What `trialStudy` gives, as the text of a file; `made` is the command that wrote it. */
export function trialText(study: Record<string, unknown>, { made, schema }: TextFacts): string {
  const document = new Document(study);
  visit(document, {
    Seq(_, list) {
      list.flow = true;
    },
  });
  const body = `# ${made}\n${document.toString({ flowCollectionPadding: false, lineWidth: 0 })}`;
  return `# yaml-language-server: $schema=${schema}\n# ${MARK}${markOf(body)}.\n${body}`;
}

interface TextFacts {
  made: string;
  schema: string;
}

const MARK = "Yours to edit: `assay try` overwrites only a file that nobody has edited, mark ";

/** Whether a file is just as `trialText` made it. */
export function isUntouched(text: string): boolean {
  const [, mark, body] = new RegExp(`^.*\\n# ${MARK}(\\w+)\\.\\n(.*)$`, "s").exec(text) ?? [];
  return mark !== undefined && mark === markOf(body!);
}

function markOf(body: string): string {
  return hashText(body).slice(0, 8);
}

const NAMED_NUMBER = /([A-Za-z_][\w./-]*)(["']?\s*[:=]\s*)([-+]?\d[\d.]*(?:[eE][-+]?\d+)?)/g;

/** Numbers with a name that a program printed, each as a pattern that finds it: the last ones first. */
export function patternsIn(text: string): { name: string; line: string; pattern: string }[] {
  const found = new Map<string, { name: string; line: string; pattern: string }>();
  for (const line of text.split(/[\r\n]+/).reverse()) {
    for (const [, name, mark, number] of line.matchAll(NAMED_NUMBER)) {
      const pattern = `${escaped(name! + mark!)}${/^[\d.]+$/.test(number!) ? "([0-9.]+)" : "([-+0-9.e]+)"}`;
      if (!found.has(name!)) found.set(name!, { name: name!, line: line.trim(), pattern });
    }
  }
  return [...found.values()];
}

/** As a part of a pattern; a run of spaces may be any. */
function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/\s{2,}|\t/g, "\\s+");
}
