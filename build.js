// Builds dist/: bundled code for Node (one folder, split into shared chunks), type declarations, JSON Schema, and the
// tasks that ship.
// `node build.js --fast` leaves the declarations out.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeTasks } from "./packages/tasks/write-tasks.js";
import { joinChunks } from "./scripts/join-chunks.js";

const root = fileURLToPath(new URL(".", import.meta.url));
const isFast = process.argv.includes("--fast");

if (!isFast) rmSync(`${root}dist`, { recursive: true, force: true });
const shared = {
  absWorkingDir: root,
  outdir: "dist",
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "warning",
};
// Bundled, so that a start opens few files; these are large or native and load only when used.
const external = [
  "@duckdb/node-api",
  "libsql",
  "ioredis",
  "bullmq",
  "pg",
  "aws4fetch",
  "jiti",
  "@resvg/resvg-js",
  "dejavu-fonts-ttf",
  "ai",
  "@ai-sdk/*",
  "@pydantic/genai-prices",
  "gpt-tokenizer",
  "@opentelemetry/*",
];
const program = await build({
  ...shared,
  metafile: true,
  write: false,
  entryPoints: {
    index: "src/index.ts",
    stats: "src/stats/index.ts",
    contracts: "src/contracts/index.ts",
    cli: "src/cli/main.ts",
    program: "src/cli/program.ts",
    "thread-worker": "src/executors/thread-worker.ts",
    "sampler-thread": "src/instruments/resources/sampler-thread.ts",
    "module-child": "src/executors/module-child.ts",
    "score-child": "src/scoring/score-child.ts",
    "slurm-task": "src/executors/slurm/slurm-task.ts",
    "collect-worker": "src/archive/collect-worker.ts",
    "view-worker": "src/server/view-worker.ts",
  },
  splitting: true,
  external,
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});
forbidLateCommonJs(program.metafile);
mkdirSync(`${root}dist`, { recursive: true });
const { outdir: _, ...alone } = shared;
for (const [name, text] of await joinChunks(program, alone)) replace(`${root}dist/${name}`, text);
// Users' files get all of zod, with its texts in fifty languages; what Assay itself starts with has only what it uses.
await build({ ...shared, entryPoints: { plugin: "src/plugin.ts" }, external: [...external, "zod"] });
// The web page: one script and one style sheet, which reports carry inside and the server sends.
await build({
  absWorkingDir: root,
  entryPoints: { viewer: "viewer/main.tsx" },
  outdir: "dist/viewer",
  bundle: true,
  platform: "browser",
  target: "es2022",
  format: "iife",
  minify: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
await makeFonts();
writeTasks(`${root}dist/tasks`);
if (!isFast) {
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", "tsconfig.types.json"], {
    cwd: root,
    stdio: "inherit",
  });
}
const { studySchema, outputSchemas } = await import("./dist/index.js");
mkdirSync(`${root}dist/schemas`, { recursive: true });
for (const [name, schema] of Object.entries(outputSchemas()))
  writeFileSync(`${root}dist/schemas/${name}`, `${JSON.stringify(schema, null, 2)}\n`);
writeFileSync(`${root}dist/study.schema.json`, `${JSON.stringify(studySchema(), null, 2)}\n`);

/** Programs that start meanwhile find the old file or the new one, and are not disturbed where nothing changed. */
function replace(path, text) {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

/** In a bundle, what a late import gives of a CommonJS package has no names but `default`: undefined at run time. */
function forbidLateCommonJs({ inputs }) {
  const late = Object.entries(inputs).flatMap(([path, { imports }]) =>
    imports
      .filter(
        ({ kind, external, path: to }) =>
          kind === "dynamic-import" && !external && inputs[to]?.format === "cjs",
      )
      .map(({ original }) => `${path} -> import("${original}")`),
  );
  if (late.length > 0)
    throw new Error(`CommonJS packages must be imported statically, or be external:\n${late.join("\n")}`);
}

/** The fonts of charts, with the usual characters only: Latin, Greek, Cyrillic, punctuation, arrows, mathematics. */
async function makeFonts() {
  const usual = [
    [0x20, 0x24f],
    [0x370, 0x52f],
    [0x2000, 0x22ff],
    [0xfffd, 0xfffd],
  ];
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["scripts/small-font.ts"],
    bundle: true,
    format: "esm",
    write: false,
  });
  const { smallFont } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
  );
  mkdirSync(`${root}dist/fonts`, { recursive: true });
  for (const face of ["DejaVuSans", "DejaVuSans-Bold"]) {
    const whole = readFileSync(`${root}node_modules/dejavu-fonts-ttf/ttf/${face}.ttf`);
    const keeps = (code) => usual.some(([from, to]) => code >= from && code <= to);
    writeFileSync(`${root}dist/fonts/${face}.ttf`, smallFont(whole, keeps));
  }
}
