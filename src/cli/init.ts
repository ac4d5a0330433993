import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { type NewKind, writeNew } from "../api/scaffold/new-target.ts";
import { trialStudy, trialText } from "../api/scaffold/try-study.ts";
import { errorCode, UserError } from "../core/errors.ts";
import { shellWord } from "../core/escape.ts";
import { FAMILIES } from "../core/family.ts";
import { schemaPath } from "../host/environment.ts";
import { sims } from "../targets/index.ts";
import { styleFor } from "./terminal.ts";
import { readValues } from "./try.ts";

export const KINDS = ["program", "matrix", "agents", "benchmark"] as const;
type Kind = (typeof KINDS)[number];
type Ask = (question: string) => Promise<string>;

const QUESTION = `What do you want to measure?
  1  my own program
  2  a matrix of parameters, on a simulator that ships with Assay
  3  agents on tasks
  4  a benchmark: code of mine, called many times
[1-4] `;

const AGENTS = `study: first-agents
question: What does it cost to keep less of the context, and what does it solve?
# Agents that mend small repositories. The scripted model needs no key; name yours instead: provider:model.
target: agent
params: {model: scripted, sandbox: memory}
matrix:
  strategy: [raw, observation_masking]
tasks: {subset: all, slice: ":10"}
seeds: 3
analysis:
  metric: solve_rate
  goal: maximize
  baseline: {strategy: raw}
`;

interface InitOptions {
  kind?: Kind;
  dir: string;
  json?: boolean;
}

/** Writes a first study, target or plugin; on a terminal it asks what the study is about. */
export async function init(what: string, name: string | undefined, options: InitOptions): Promise<void> {
  if (what === "target" || Object.hasOwn(FAMILIES, what)) return writeOwn(what as NewKind, name, options);
  if (name !== undefined)
    throw new UserError(`a study has one file, not "${what}" and "${name}"`, {
      remedy: "`assay init study.yaml`, `assay init target NAME` or `assay init reporter NAME`.",
    });
  const { kind, dir, json } = options;
  const file = join(dir, what);
  if (kind !== undefined || json || !process.stdin.isTTY || !process.stdout.isTTY)
    return write(file, kind ?? "matrix", { json });
  // The terminal edits the line itself: sequences of readline's would not pass the guard of the terminal.
  const dialogue = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  try {
    const ask: Ask = async (question) => (await dialogue.question(question)).trim();
    await write(file, await askKind(ask), { ask });
  } finally {
    dialogue.close();
  }
}

async function askKind(ask: Ask): Promise<Kind> {
  for (;;) {
    const answer = (await ask(QUESTION)) || "1";
    const kind = KINDS[Number(answer) - 1] ?? KINDS.find((name) => name === answer);
    if (kind !== undefined) return kind;
    console.log(`"${answer}" is not one of them: answer 1, 2, 3 or 4.`);
  }
}

async function write(file: string, kind: Kind, { ask, json }: { ask?: Ask; json?: boolean | undefined }) {
  if (kind === "benchmark") {
    const name = (await ask?.("Name of the benchmark [my-bench]: ")) || "my-bench";
    return writeOwn("target", name, { dir: dirname(file), ...(json && { json }) });
  }
  const text =
    kind === "program"
      ? await programText(ask)
      : withSchema(kind === "agents" ? AGENTS : await sims.simulator.firstStudy());
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw new UserError(`${file} can't be written (${errorCode(error)})`);
    throw new UserError(`${file} exists already`, { remedy: "Name another file: `assay init other.yaml`." });
  }
  if (json) console.log(JSON.stringify({ kind, files: [file] }));
  else console.log(`Wrote ${file}. Next: assay run ${shellWord(file)}`);
}

/** A target or plugin of the user's own, with a study that runs it and a test. */
function writeOwn(kind: NewKind, name: string | undefined, { dir, json }: InitOptions): void {
  if (name === undefined)
    throw new UserError(`the ${kind} needs a name`, {
      remedy: `For instance \`assay init ${kind} my-${kind}\`.`,
    });
  const files = writeNew(kind, name, dir);
  if (json) {
    console.log(JSON.stringify({ kind, name, files }));
    return;
  }
  const [own, ...others] = files.map(shellWord) as [string, ...string[]];
  const test = others.find((path) => path.endsWith(".test.mjs"))!;
  const spec = others.find((path) => path.endsWith(".yaml"));
  const { bold } = styleFor(process.stdout);
  if (spec === undefined) {
    console.log(`${bold(own)} is your ${kind}, ${test} tests it.\n`);
    console.log(`Next: assay import ${shellWord(join(dir, "results"))} --format ${own}`);
  } else {
    console.log(`${bold(own)} is your ${kind}; ${spec} runs it, ${test} tests both.\n`);
    console.log(`Next: assay run ${spec}`);
  }
  if (kind === "target") console.log(`      assay compare ${name} --by size --metric duration_ms`);
  if (Object.hasOwn(FAMILIES, kind)) console.log(`      assay doctor --plugin ${own}`);
  console.log(`      node --test ${test}`);
}

/** Editors that know YAML complete the keys then. */
function withSchema(text: string): string {
  return `# yaml-language-server: $schema=${schemaPath()}\n${text}`;
}

async function programText(ask: Ask = async () => ""): Promise<string> {
  const line = "python3 agent.py --model {model}";
  const command = (await ask(`The command line, with {name} where a value goes\n[${line}]: `)) || line;
  const names = new Set([...command.matchAll(/\{([A-Za-z_][\w.-]*)\}/g)].map(([, name]) => name!));
  names.delete("seed");
  const values = [];
  for (const name of names) {
    const answer = (await ask(`Values of ${name} [small,big]: `)) || "small,big";
    values.push(readValues(answer.startsWith(`${name}=`) ? answer : `${name}=${answer}`));
  }
  const pattern =
    (await ask("The number that counts, as your program prints it ['accuracy: ([0-9.]+)']: ")) ||
    "accuracy: ([0-9.]+)";
  const metric = pattern.replace(/^'(.*)'$/, "$1");
  const study = trialStudy({ command, values: Object.fromEntries(values), seeds: 5, metrics: [metric] });
  return trialText(study, { made: "assay init", schema: schemaPath() });
}
