// How far one has to walk through the house to follow a command: `npm run walks -- [project folder] [--list] [--check] [walk ...]`.
// Builds the program so that every function is known by its file, runs five paths under V8's coverage and counts
//   files    those with a function that was executed, and those that lead to one of them;
//   changes  of room, for a reader who opens each of them once: from the command on, import after import, depth first.
// A room is a folder of src/, a package, or the viewer. What only loads, and types, are not part of a walk.
// With --check, a walk that is longer than walks.json allows is an error. The numbers there are a little above what was counted,
// since some files are executed only on a slow machine; lower them when a walk has become shorter.
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const isListed = process.argv.includes("--list");
const isChecked = process.argv.includes("--check");
const folder = words.find((word) => word.includes("/"));
const wanted = words.filter((word) => word !== folder);
const root = resolve(folder ?? fileURLToPath(new URL("..", import.meta.url)));
const stage = mkdtempSync(join(tmpdir(), "assay-walks-"));
const QUICKSTART = "examples/quickstart/study.yaml";
const BRANIN = "examples/hyperparameter-search/branin.yaml";

const walks = {
  quickstart: async (assay) => assay("run", QUICKSTART),
  sweep: async (assay) => {
    await assay("sweep", BRANIN);
    await assay("worker", "branin", "--count", "3");
  },
  rollouts: async (assay, _, project) => {
    // Two agents on two tasks each pass every file that four on ten do.
    const file = join(project, "examples/agent-rollouts/rollouts.toml");
    const [head, ...tasks] = readFileSync(file, "utf8").split("[[tasks]]\n");
    writeFileSync(file, [head, ...[0, 1, 20, 21].map((n) => tasks[n])].join("[[tasks]]\n"));
    await assay("run", "examples/agent-rollouts/rollouts.toml");
    await assay("summarize", "agent-rollouts", "--latest");
  },
  compare: async (assay, quietly) => {
    await quietly("run", QUICKSTART);
    await assay("compare", "quickstart", "--by", "policy", "--metric", "makespan_p95_ms");
  },
  queue: async (assay) => {
    const port = await freePort();
    const redis = spawn("redis-server", ["--port", `${port}`, "--bind", "127.0.0.1", "--save", ""], {
      stdio: "ignore",
    });
    try {
      const env = { ASSAY_FLEET_KEY: "walks-".repeat(8), ASSAY_QUEUE: `redis://127.0.0.1:${port}` };
      while (!(await isListening(port))) await setTimeout(20);
      await Promise.all([
        assay("worker", "--count", "60", env),
        assay("run", "examples/fleet/study.yaml", env),
      ]);
    } finally {
      redis.kill();
    }
  },
};

try {
  await buildReadable();
  const imports = readImports();
  for (const [name, walk] of Object.entries(walks)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const files = executedFiles(await follow(name, walk));
    const steps = stepsThrough(files, imports);
    const changes = steps.filter(({ from, file }) => roomOf(from) !== roomOf(file));
    const doors = new Set(changes.map(({ from, file }) => `${roomOf(from)} > ${roomOf(file)}`));
    console.log(
      `${name.padEnd(10)} ${steps.length} files, ${changes.length} changes of room (${doors.size} kinds)`,
    );
    if (isChecked) checkLength(name, { files: steps.length, changes: changes.length });
    if (isListed)
      for (const { file, from, depth } of steps)
        console.log(
          `${" ".repeat(depth)}${file}${roomOf(from) === roomOf(file) ? "" : `  <- ${roomOf(from)}`}`,
        );
  }
} finally {
  rmSync(stage, { recursive: true, force: true });
}

function checkLength(name, counted) {
  const most = JSON.parse(readFileSync(new URL("walks.json", import.meta.url), "utf8"))[name];
  for (const [what, count] of Object.entries(counted)) {
    if (count <= most[what]) continue;
    console.error(
      `${name} has ${count} ${what}, scripts/walks.json allows ${most[what]}: merge what is read together.`,
    );
    process.exitCode = 1;
  }
}

/** The project with a dist/ in which esbuild names the file above what came of it. */
async function buildReadable() {
  for (const name of readdirSync(root))
    if (!["bin", "dist", "package.json"].includes(name)) symlinkSync(join(root, name), join(stage, name));
  for (const name of ["bin", "package.json"])
    cpSync(join(root, name), join(stage, name), { recursive: true });
  mkdirSync(join(stage, "dist"));
  for (const name of ["viewer", "fonts", "tasks", "study.schema.json"])
    if (existsSync(join(root, "dist", name)))
      symlinkSync(join(root, "dist", name), join(stage, "dist", name));
  const entries = [
    ...readFileSync(join(root, "build.js"), "utf8").matchAll(/^ +"?([\w-]+)"?: "(src\/.*\.ts)",$/gm),
  ];
  await build({
    absWorkingDir: root,
    entryPoints: {
      ...Object.fromEntries(entries.map(([, name, path]) => [name, path])),
      plugin: "src/plugin.ts",
    },
    outdir: join(stage, "dist"),
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    packages: "external",
    alias: { "assay/plugin": join(root, "src/plugin.ts"), "assay/stats": join(root, "src/stats/index.ts") },
    logLevel: "warning",
  });
}

async function follow(name, walk) {
  const project = join(stage, "projects", name);
  const coverage = join(project, "coverage");
  mkdirSync(project, { recursive: true });
  cpSync(join(root, "examples"), join(project, "examples"), { recursive: true });
  const start = (args, env) =>
    new Promise((done, fail) => {
      const child = spawn(process.execPath, [join(stage, "bin/assay.js"), ...args], {
        cwd: project,
        env: { ...process.env, ...env },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let said = "";
      child.stderr.on("data", (chunk) => {
        said += chunk;
      });
      child.on("close", (code) =>
        code === 0 ? done() : fail(new Error(`assay ${args.join(" ")}: ${code}\n${said.slice(0, 2000)}`)),
      );
    });
  const split = (args) => (typeof args.at(-1) === "object" ? [args.slice(0, -1), args.at(-1)] : [args, {}]);
  await walk(
    (...args) => start(split(args)[0], { ...split(args)[1], NODE_V8_COVERAGE: coverage }),
    (...args) => start(...split(args)),
    project,
  );
  return coverage;
}

/** The files of which V8 has seen a function run; the body of a module, which also runs when nothing is asked of it, is none. */
function executedFiles(coverage) {
  const files = new Set();
  const sections = new Map();
  for (const name of readdirSync(coverage)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(coverage, name), "utf8")).result) {
      if (!url.startsWith("file:") || !fileURLToPath(url).startsWith(join(stage, "dist/"))) continue;
      if (!sections.has(url)) {
        const text = readFileSync(fileURLToPath(url), "utf8");
        sections.set(
          url,
          [...text.matchAll(/^\/\/ ((?:src|packages|viewer)\/\S+\.tsx?)$/gm)].map(({ index, 1: path }) => ({
            index,
            path,
          })),
        );
      }
      for (const { functionName, ranges } of functions) {
        const [{ startOffset, count }] = ranges;
        // esbuild writes a getter for every name that a chunk exports.
        if (count === 0 || (functionName === "" && startOffset === 0)) continue;
        const section = sections.get(url).findLast(({ index }) => index < startOffset);
        if (section) files.add(section.path);
      }
    }
  }
  return files;
}

function readImports() {
  const imports = new Map();
  for (const top of ["src", "packages", "viewer"]) {
    if (!existsSync(join(root, top))) continue;
    for (const name of readdirSync(join(root, top), { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(name) || name.includes("node_modules")) continue;
      const path = join(top, name);
      const code = readFileSync(join(root, path), "utf8");
      const found = code.matchAll(
        /^(?:import|export)\s+(?!type\s)[^"']*?from\s+"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/gm,
      );
      const names = [...found].map(([, fixed, late]) =>
        relative(root, resolve(root, dirname(path), fixed ?? late)),
      );
      imports.set(path, names);
    }
  }
  return imports;
}

/** What is come to through files that only load, such as a table of what there is, is come to through them; a thread's own file from the command. */
function stepsThrough(files, imports) {
  const steps = [];
  const seen = new Set();
  const visit = (file, from, depth) => {
    if (seen.has(file)) return;
    seen.add(file);
    steps.push({ file, from, depth });
    for (const next of imports.get(file) ?? []) if (files.has(next)) visit(next, file, depth + 1);
  };
  const entry = "src/cli/main.ts";
  visit(entry, entry, 0);
  for (const file of [...files].sort()) {
    const [from, ...between] = seen.has(file) ? [file] : (wayTo(file, seen, imports) ?? [entry]);
    const way = [from, ...between, file];
    for (const [i, next] of way.slice(1).entries()) visit(next, way[i], i);
  }
  return steps;
}

/** The shortest way of imports from a file that has been seen: that file, and those between. */
function wayTo(file, seen, imports) {
  const next = new Map([[file, undefined]]);
  for (const at of next.keys()) {
    for (const [importer, names] of imports) {
      if (next.has(importer) || !names.includes(at)) continue;
      next.set(importer, at);
      if (!seen.has(importer)) continue;
      const way = [importer];
      while (next.get(way.at(-1)) !== file) way.push(next.get(way.at(-1)));
      return way;
    }
  }
}

function roomOf(path) {
  const [top, room, ...rest] = path.split("/");
  return top === "src" ? (rest.length > 0 ? room : "src") : top === "packages" ? `${top}/${room}` : top;
}

async function freePort() {
  const server = createServer().listen(0);
  await new Promise((ready) => server.once("listening", ready));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

function isListening(port) {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => done(true));
    socket.on("error", () => done(false));
    socket.on("connect", () => socket.destroy());
  });
}
