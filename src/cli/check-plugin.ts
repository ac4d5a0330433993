import { resolve } from "node:path";
import { contractOf } from "../contracts/index.ts";
import { errorText } from "../core/errors.ts";
import { printable, styleFor } from "./terminal.ts";

/** Tries a plugin against the contracts of its families; exit code 1 where one is broken. */
export async function checkPlugin(
  path: string,
  { file = [], json }: { file?: string[]; json?: boolean },
): Promise<void> {
  const results: { title: string; problem: string | null }[] = [];
  for (const { title, check } of await contractOf(resolve(path), {
    files: file.map((one) => resolve(one)),
  })) {
    try {
      await check();
      results.push({ title, problem: null });
    } catch (error) {
      results.push({ title, problem: errorText(error) });
    }
  }
  const broken = results.filter(({ problem }) => problem !== null);
  if (broken.length > 0) process.exitCode = 1;
  if (json) {
    console.log(JSON.stringify({ plugin: path, checks: results }));
    return;
  }
  const style = styleFor(process.stdout);
  for (const { title, problem } of results) {
    console.log(`${problem === null ? style.green("ok") : style.red("broken")}  ${printable(title)}`);
    if (problem !== null) console.log(`        ${printable(problem).replaceAll("\n", "\n        ")}`);
  }
  console.log(`${results.length - broken.length} of ${results.length} checks hold`);
}
