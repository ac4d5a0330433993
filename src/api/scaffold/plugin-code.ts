import type { FamilyName } from "../../core/family.ts";

/** Families whose scaffold is here; a first instrument has a file of its own. */
export type ScaffoldFamily = Exclude<FamilyName, "instrument">;

interface Scaffold {
  code(name: string): string;
  /** The study that uses it; none for an importer, which reads what others left. */
  study?(name: string): string;
  /** More files, by their names. */
  more?(name: string): Record<string, string>;
  /** What its test hands to the contract besides. */
  checks?(name: string): string;
}

const NOOP = "target: noop # put your own target here\nmatrix: { value: [1, 2] }\nseeds: 3\n";
const SEARCH = (method: string, more = "") => `target: noop # put your own target here
search:
  method: ${method}
  space: { value: { min: 0, max: 1 } }
  objectives: [{ metric: value, goal: minimize }]
  points: 8
${more}`;

/** What stands at the beginning of a line in a user's file, and is no import of this one. */
const NEXT = "import";

export const SCAFFOLDS: Record<ScaffoldFamily, Scaffold> = {
  reporter: {
    code: (name) => `import { defineReporter } from "assay/plugin";

export default defineReporter({
  api: 1,
  name: "${name}",
  description: "${name}.txt, one line per run that failed",

  // Called for every report of a study that names this file, and by \`assay report STUDY --format ./${name}.ts\`.
  // \`findings\` is what the analysis says, \`data\` what the page shows. Give texts; Assay writes them.
  render({ findings, data }) {
    const failed = findings.failures.flatMap(({ owner, runs }) =>
      runs.map(({ id, reason }) => \`failed (\${owner})\\t\${id}\\t\${reason.replaceAll(/\\s+/g, " ")}\`),
    );
    const lines = [\`\${data.view.name}: \${data.runs.count} runs, \${failed.length} failed\`, ...failed];
    return [{ path: "${name}.txt", content: \`\${lines.join("\\n")}\\n\` }];
  },
});
`,
    study: () => NOOP,
  },
  sink: {
    code: (name) => `import { appendFileSync } from "node:fs";
${NEXT} { defineSink } from "assay/plugin";

export default defineSink({
  api: 1,
  name: "${name}",
  description: "${name}.log in the study's folder, one line per run that ends",

  // Once per launch. What it returns hears every event in order: planned, started, retrying, ended, closed, and others.
  // The study waits for it, so keep it short; what it throws is told once, and then it hears nothing more.
  open({ studyDir }) {
    const path = \`\${studyDir}/${name}.log\`;
    return {
      handle(event) {
        if (event.kind === "ended")
          appendFileSync(path, \`\${event.record.outcome.status} \${event.record.id}\\n\`);
      },
    };
  },
});
`,
    study: () => NOOP,
  },
  searcher: {
    code: (name) => `import { defineSearcher, random, z } from "assay/plugin";

export default defineSearcher({
  api: 1,
  name: "${name}",
  description: "random draws until a point is good enough",

  // What a study may say in search: options.
  options: z.strictObject({ loss: z.number().default(0).describe("Good enough: ends the search") }),

  // Pure: all that it knows is in the history and the problem, all that it draws comes from the problem's seed. So a
  // search can be replayed. It proposes no point twice; fewer points than asked for end the search.
  ask(history, count, problem) {
    const isReached = history.some(
      ({ state, values }) => state === "ok" && values[0]! <= problem.options.loss,
    );
    return isReached ? [] : random.ask(history, count, problem);
  },
});
`,
    study: (name) => SEARCH(name, "  options: { loss: 0.05 }\n"),
  },
  stopper: {
    code: (name) => `import { defineStopper, goOn, lossesOf, z } from "assay/plugin";

export default defineStopper({
  api: 1,
  name: "${name}",
  description: "ends a run whose last loss is above a ceiling",

  // What a study may say beside its name in search: stop.
  options: z.strictObject({ loss: z.number().default(1).describe("The ceiling") }),

  // Pure: a race is the run's values so far and those of all others. Losses are smaller the better, whatever the goal.
  judge({ run, goal }, { loss }) {
    const last = lossesOf(run, goal).at(-1);
    if (last === undefined || last <= loss) return goOn("below the ceiling");
    return { stop: true, why: \`a loss of \${last} is above \${loss}\` };
  },
});
`,
    study: (name) => SEARCH("random", `  stop: { kind: ${name}, loss: 2 }\n`),
  },
  executor: {
    code: (name) => `import { defineExecutor, UserError } from "assay/plugin";

export default defineExecutor({
  api: 1,
  name: "${name}",
  description: "programs as child processes, each below a command of ours",

  // Once per launch. \`open\` gives an executor that ships, to build on: here the programs run below \`nice\`, and yours
  // could run below \`ssh\`, \`srun\` or \`kubectl exec\`. One from nothing gives {name, capacity, execute, drain, close}.
  async create(setting, open) {
    const { target } = setting;
    if (target.kind !== "command")
      throw new UserError("${name} runs programs", { remedy: "Use executor: thread for modules." });
    return open("process", { ...setting, target: { ...target, argv: ["nice", "-n", "5", ...target.argv] } });
  },
});
`,
    study: (
      name,
    ) => `target: { command: ["node", "-e", "console.log('score: ' + process.argv[1])", "\${seed}"], metrics: { score: "score: ([0-9.]+)" } }
seeds: 3
executor: ${name}
`,
  },
  model: {
    code: (name) => `import { defineModel } from "assay/plugin";

export default defineModel({
  api: 1,
  name: "${name}", // a study names its models ${name}:MODEL
  description: "answers every question with the same words",

  // How traces and the price table call it, the environment variables that let one in (here: none), and others it reads.
  vendor: { trace: "${name}", prices: "${name}" },
  ways: [[]],
  optional: [],

  // A language model as the package \`ai\` knows them (version 3): return one of its providers', or one of your own.
  async connect({ modelId }) {
    return {
      specificationVersion: "v3",
      provider: "${name}",
      modelId,
      supportedUrls: {},
      async doGenerate() {
        const count = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
        return {
          content: [{ type: "text", text: "I don't know." }],
          finishReason: { unified: "stop", raw: "stop" },
          usage: { inputTokens: count, outputTokens: { total: 4, text: 4, reasoning: 0 } },
          warnings: [],
        };
      },
      doStream() {
        throw new Error("Assay asks for whole answers");
      },
    };
  },
});
`,
    study: (name) => `target: agent
params: { model: "${name}:any", call_limit: 2 }
tasks: { slice: ":1" }
`,
  },
  sandbox: {
    code: (name) => `import { defineSandbox, directory } from "assay/plugin";

export default defineSandbox({
  ...directory, // what it does not say itself, the sandbox \`directory\` does
  api: 1,
  name: "${name}",
  description: "a folder of the run's own in which nothing is deleted",

  // A workspace for an agent's tools with a copy of these files: run, read, write, snapshot, close.
  async open(files, options) {
    const workspace = await directory.open(files, options);
    return {
      read: (path) => workspace.read(path),
      write: (path, text) => workspace.write(path, text),
      snapshot: (wanted) => workspace.snapshot(wanted),
      close: () => workspace.close(),
      async run(command, limits) {
        if (!/\\brm\\b/.test(command)) return workspace.run(command, limits);
        return { output: "nothing is deleted here\\n", exitCode: 1, isTimeout: false, omittedBytes: 0 };
      },
    };
  },
});
`,
    study: (name) => `target: agent
params: { model: scripted, sandbox: ${name} }
tasks: { slice: ":1" }
`,
  },
  importer: {
    code: (name) => `import { defineImporter, graded, ungraded } from "assay/plugin";

export default defineImporter({
  api: 1,
  name: "${name}",
  looksFor: "${name}.json with items, each with task and share",

  // Asked for every file of a folder, so a look at the name comes first.
  claims: (file) => file.name === "${name}.json",

  // One trial per result. A key is the same whenever the same trial is read; what can't be read is a problem, in words.
  *read(file) {
    const { items = [] } = file.json();
    for (const { task, share, agent = null } of items) {
      if (typeof task !== "string") yield { problem: "an item without a task" };
      else
        yield {
          key: \`${name}/\${task}\`,
          task,
          agent,
          model: null,
          labels: {},
          ...(typeof share === "number" ? graded(share) : ungraded("grader", "no share")),
        };
    }
  },
});
`,
    more: (name) => ({
      [`results/${name}.json`]: `${JSON.stringify(
        {
          items: [
            { task: "mend-a", share: 1, agent: "first" },
            { task: "mend-b", share: 0, agent: "first" },
          ],
        },
        null,
        2,
      )}\n`,
    }),
    checks: (name) => `, "--file", "results/${name}.json"`,
  },
};
