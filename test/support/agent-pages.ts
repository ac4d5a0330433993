import { fixture, type Project } from "./fixture.ts";

/** What a page must show and never run. */
const HOSTILE = `</script><img src=x onerror="window.hacked=1"> \u001b[31mred\u001b[0m \u202eturned`;

/**
 * An agent on three tasks, three tries each, that leaves what agents leave: turns, a patch, a test's log. "careful"
 * solves all but the last; "quick" solves the first, the second sometimes. The third turn is the first that differs.
 */
const target = `
import { mkdirSync, writeFileSync } from "node:fs";
import { defineTarget, z } from "assay/plugin";
const hostile = ${JSON.stringify(HOSTILE)};
export default defineTarget({
  name: "agent-like",
  params: z.strictObject({ strategy: z.string() }),
  metrics: { score: { range: [0, 1], direction: "maximize", failure: "worst", primary: true } },
  run({ params: { strategy }, task, seed, outDir, label, series }) {
    const solved = task === "lamp-1" || (task === "lamp-2" && (strategy === "careful" || seed === 2));
    mkdirSync(outDir + "/artifacts", { recursive: true });
    const trajectory = Array.from({ length: 9 }, (_, i) => ({
      thought: i === 2 ? "I am " + strategy + "." : "I look at part " + (i + 1) + ".",
      action: (i === 4 ? "pytest -q part-" : "cat part-") + (i + 1),
      observation: i === 0 ? hostile : i === 4 ? "Traceback (most recent call last): ValueError: broken fuse" : "a line\\n".repeat(i === 1 ? 500 : 2),
      turn_statistics: { cost: 0.001, tokens: { raw_input: 100 * (i + 1), cached_input: 0, output: 20 } },
      extra_info: { context: { masked: Math.max(0, i - 3), ...(i === 6 && { checkpoint: "What was before." }) } },
    }));
    const history = [{ role: "user", content: "Make the lamp work." }];
    const info = { assay_version: "1", instance_id: task, exit_status: "submitted", submission: "", resolved: solved };
    writeFileSync(outDir + "/" + task + ".traj", JSON.stringify({ trajectory, history, info }));
    writeFileSync(outDir + "/artifacts/diff.patch", "diff --git a/lamp.py b/lamp.py\\n--- a/lamp.py\\n+++ b/lamp.py\\n@@ -1,2 +1,2 @@\\n def on():\\n-    return 0\\n+    return 1 # " + hostile.replace(/\\n/g, " ") + "\\n");
    writeFileSync(outDir + "/artifacts/test-output.txt", solved ? "1 passed\\n" : "1 failed: broken fuse\\n");
    label?.("patch", "plain");
    return { score: solved ? 1 : 0, cost_usd: task === "lamp-3" ? 0.3 : 0.1 };
  },
});`;

const study = JSON.stringify({
  ...{ study: "lamps", target: "./agent-like.mjs", matrix: { strategy: ["quick", "careful"] }, seeds: 3 },
  ...{
    tasks: ["lamp-1", "lamp-2", "lamp-3"],
    analysis: { metric: "score", baseline: { strategy: "quick" } },
  },
});

/** A project in which that study has run. */
export async function lamps(): Promise<Project> {
  const project = await fixture("page", { "agent-like.mjs": target, "lamps.json": study });
  const ended = await project.assay("run", "lamps.json", "-q");
  if (ended.code !== 0) throw new Error(`the study of lamps failed: ${ended.stderr}`);
  return project;
}
