// Builds dist/: bundled code for Node (one folder, split into shared chunks), type declarations, JSON Schema.
// `node build.js --fast` leaves the declarations out.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL(".", import.meta.url));
const isFast = process.argv.includes("--fast");

if (!isFast) rmSync(`${root}dist`, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: {
    index: "src/index.ts",
    plugin: "src/plugin.ts",
    stats: "src/stats/index.ts",
    cli: "src/cli/main.ts",
    program: "src/cli/program.ts",
    "thread-worker": "src/executors/thread-worker.ts",
    "module-child": "src/executors/module-child.ts",
    "collect-worker": "src/archive/collect-worker.ts",
  },
  outdir: "dist",
  bundle: true,
  splitting: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  // Bundled, so that a start opens few files; these are large or native and load only when used.
  external: ["@duckdb/node-api", "jiti", "@resvg/resvg-js", "dejavu-fonts-ttf"],
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
});
if (!isFast) {
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", "tsconfig.types.json"], {
    cwd: root,
    stdio: "inherit",
  });
}
const { studySchema } = await import("./dist/index.js");
writeFileSync(`${root}dist/study.schema.json`, `${JSON.stringify(studySchema(), null, 2)}\n`);
