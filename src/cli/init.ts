import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { trialStudy, trialText } from "../api/scaffold/try-study.ts";
import { errorCode, UserError } from "../core/errors.ts";
import { schemaPath } from "../host/environment.ts";
import { sims } from "../targets/index.ts";
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

/** Writes a first study; on a terminal it asks of what. */
export async function init(file: string, { kind }: { kind?: Kind }): Promise<void> {
  if (kind !== undefined || !process.stdin.isTTY || !process.stdout.isTTY)
    return write(file, kind ?? "matrix");
  // The terminal edits the line itself: sequences of readline's would not pass the guard of the terminal.
  const dialogue = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  try {
    const ask: Ask = async (question) => (await dialogue.question(question)).trim();
    await write(file, await askKind(ask), ask);
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

async function write(file: string, kind: Kind, ask?: Ask): Promise<void> {
  if (kind === "benchmark") {
    console.log("A benchmark is a target of your own. Next: assay new target my-bench");
    return;
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
  console.log(`${file} is written. Next: assay run ${file}`);
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
