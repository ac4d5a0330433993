import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A task about a repository of so many files in folders of 20, with one test that looks for a line. */
export function makeTask(dir, files) {
  for (let i = 0; i < files; i++) {
    const folder = join(dir, "repo/src", `part${Math.floor(i / 20)}`);
    if (i % 20 === 0) mkdirSync(folder, { recursive: true });
    const line = `export const value${i} = ${i * 7919};\n`;
    writeFileSync(join(folder, `file${i}.js`), line.repeat(1 + (i % 60)));
  }
  writeFileSync(join(dir, "check.sh"), "grep -q mended src/part0/file0.js\n");
  writeFileSync(
    join(dir, "tb_meta.json"),
    JSON.stringify({
      task_id: "mend",
      repo: {},
      lm: { instructions: "Write the word mended into src/part0/file0.js." },
      evaluation: {
        rubrics: [{ id: "mended", criterion: "It is mended", weight: 1 }],
        test_scripts: [{ path: "check.sh", rubric_id: "mended" }],
      },
    }),
  );
}
