import { expect, test } from "vitest";
import { createModel } from "../../../src/models/create-model.ts";
import { memory } from "../../../src/sandboxes/memory/index.ts";
import { agentSchema } from "../../../src/targets/agent/params.ts";
import { runInstance } from "../../../src/targets/agent/run-instance.ts";
import { strategies } from "../../../src/targets/agent/strategies/index.ts";
import type { AgentTask } from "../../../src/targets/agent/tasks/task.ts";

const around = (name: string) =>
  Array.from({ length: 150 }, (_, i) => `function ${name}${i}(x) {\n  return x + ${i};\n}\n`).join("");
/** The bug stands in the middle of a file that is far longer than what a tool shows. */
const task: AgentTask = {
  id: "long",
  level: "long",
  instruction: "The tests fail. Mend the code.",
  test: "node test/run.js",
  check: "true",
  passes: undefined,
  files: new Map([
    ["docs/rules.md", "`discountFor`: from 100 on a tenth is taken off: `sum >= 100 ? sum / 10 : 0`.\n"],
    [
      "src/shop.js",
      `${around("before")}function discountFor(sum) {\n  return sum > 100 ? sum / 10 : 0;\n}\n${around("after")}module.exports = { discountFor };\n`,
    ],
    [
      "test/run.js",
      'const { discountFor } = require("../src/shop.js");\nif (discountFor(100) !== 10) { console.log("FAIL discountFor(100): expected 10"); process.exit(1); }\nconsole.log("PASS");\n',
    ],
  ]),
  checkFiles: new Map(),
};

test.each(["raw", "observation_masking"])(
  "the scripted model reads a long file part by part (%s)",
  async (name) => {
    const strategy = strategies[name]!;
    const params = agentSchema.parse({ strategy: name, sandbox: "memory", output_limit: 4000 });
    const model = await createModel("scripted", { env: {} });
    const { steps, submission } = await runInstance(task, {
      params,
      model,
      summariser: model,
      strategy,
      strategyOptions: strategy.options(params) as never,
      workspace: await memory.open(task.files, { parentDir: null }),
      seed: 2,
      signal: new AbortController().signal,
    });
    expect(submission).toContain("+  return sum >= 100 ? sum / 10 : 0;");
    const parts = steps.filter(({ action }) => action.includes('"from"'));
    expect(parts.length).toBeGreaterThan(0);
    // What it read before it does not read again.
    expect(new Set(parts.map(({ action }) => action)).size).toBe(parts.length);
  },
);
