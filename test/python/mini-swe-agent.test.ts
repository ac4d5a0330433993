import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { currentRecords } from "../../src/archive/read-records.ts";
import { root } from "../support/doc-pages.ts";
import { assayPath, Launched } from "../support/launch.ts";
import { missingModules, pythonBin, whyNot } from "../support/python-packages.ts";
import { TempFolder } from "../support/temp-folder.ts";
import { waitFor } from "../support/wait-for.ts";

/** Its own command line behind a sweep file, as the example has it. */
const SWEEP = readFileSync(join(root, "examples/hyperparameter-search/mini-swe-agent.yaml"), "utf8");
/** Writes a file, then says the words by which mini-swe-agent knows that the model has finished. */
const COMMAND = "echo hello > note.txt; echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

const missing = missingModules(["minisweagent", "mcp"]);
describe.skipIf(missing.length > 0)(`mini-swe-agent behind a sweep file${whyNot(missing)}`, () => {
  test("works through the gateway with the scripted model, and its trajectory gives the run's metrics", async () => {
    using folder = new TempFolder({ "sweep.yaml": SWEEP });
    const cwd = folder.path;
    const start = (words: string[], env: NodeJS.ProcessEnv = {}) =>
      new Launched([process.execPath, assayPath, ...words], { cwd, env: { ...process.env, ...env } });
    const gateway = start(["gateway", "--json", "--scripted", COMMAND]);
    try {
      const url = await waitFor("the gateway's address", () => /"url":"([^"]+)"/.exec(gateway.stdout)?.[1]);
      const run = start(["run", "sweep.yaml"], {
        PATH: `${pythonBin}:${process.env.PATH}`,
        HOME: cwd,
        OPENAI_API_KEY: "none",
        OPENAI_BASE_URL: `${url}/v1`,
        OPENAI_API_BASE: `${url}/v1`,
        ...{ MSWEA_CONFIGURED: "true", MSWEA_COST_TRACKING: "ignore_errors", MSWEA_SILENT_STARTUP: "1" },
        LITELLM_LOCAL_MODEL_COST_MAP: "True",
      });
      const { code, stdout, stderr } = await run.ended;
      expect(code, stdout + stderr).toBe(0);
      const records = currentRecords(`${cwd}/bench_runs/mini`);
      expect(records).toHaveLength(2);
      for (const { metrics } of records)
        expect(metrics).toMatchObject({ n_instances: 1, submission_rate: 1, total_turns: 1 });
      expect(folder.read("note.txt")).toBe("hello\n");
    } finally {
      gateway.kill("SIGINT");
      await gateway.ended;
    }
  });
});
