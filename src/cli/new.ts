import { type NewKind, writeNew } from "../api/new-target.ts";
import { shellWord } from "../core/escape.ts";
import { styleFor } from "./terminal.ts";

export function newFiles(kind: NewKind, name: string, options: { dir: string; json?: boolean }): void {
  const paths = writeNew(kind, name, options.dir);
  if (options.json) {
    console.log(JSON.stringify({ kind, name, files: paths }));
    return;
  }
  const [own, spec, test] = paths.map(shellWord) as [string, string, string];
  const { bold } = styleFor(process.stdout);
  console.log(`${bold(own)} is your ${kind}; ${spec} runs it, ${test} tests both.\n`);
  console.log(`Next: assay run ${spec}`);
  if (kind === "target") console.log(`      assay compare ${name} --by size --metric duration_ms`);
  console.log(`      node --test ${test}`);
}
