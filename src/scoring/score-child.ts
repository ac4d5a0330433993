import { createInterface } from "node:readline";
import { errorText, UserError } from "../core/errors.ts";
import { loadModule } from "../targets/load-module.ts";

/** The program behind a scorer that is a module: `score-child.js FILE`. A line in for each output, a line out. */
const score = await loadModule(process.argv[2]!, "scorer");
if (typeof score !== "function")
  throw new UserError(`scorer file ${process.argv[2]}`, {
    expected: "a function as its default export: export default ({ outputDir, item }) => ({ correct: true })",
  });

for await (const line of createInterface({ input: process.stdin })) {
  const { id, out_dir: outDir, output_dir: outputDir, run_dir: runDir, ...about } = JSON.parse(line);
  let answer: Record<string, unknown>;
  try {
    answer = { id, metrics: (await score({ id, outDir, outputDir, runDir, ...about })) ?? {} };
  } catch (error) {
    console.error(error);
    answer = { id, error: errorText(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
// What the module left open must not keep the process.
process.exit(0);
