// Fewer files for a start to open: esbuild splits code that several commands share into hundreds of chunks, and Node takes
// half a millisecond for each. Chunks that the same commands need become one file, so that no command loads what it
// doesn't need; small ones that need only each other stand in one that nearly all load.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { build } from "esbuild";

/** What starts most often; what every `run` loads late stands with it. */
const STARTS = [
  ["src/cli/run.ts", "src/executors/process.ts", "src/executors/thread.ts"],
  ["src/cli/run-findings.ts", "src/read/write-report.ts", "src/read/kept-view.ts"],
  ["src/cli/main.ts"],
  ["src/executors/thread-worker.ts"],
  ["src/executors/module-child.ts"],
  ["src/targets/agent/index.ts"],
  ["src/targets/coding/index.ts"],
  ["packages/sims/src/sched-sim/index.ts"],
  ...["plan", "status", "compare", "report", "show", "query", "list", "power", "best", "ui"].map(ofCommand),
  ...["worker", "queue-worker"].map(ofCommand),
];
/** To load this much more takes less than to open a file more. */
const SMALL_BYTES = 4000;

function ofCommand(name) {
  return [`src/cli/${name}.ts`];
}

/** The files of a build, with its chunks joined; `options` are those of the build. */
export async function joinChunks({ outputFiles, metafile }, options) {
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const chunks = new Map(Object.entries(metafile.outputs).map(([path, one]) => [basename(path), one]));
  const parts = [...partsOf(chunks).values()].filter((names) => names.length > 1);
  const partOf = new Map(parts.flatMap((names) => names.map((name) => [name, partName(names)])));
  const join = async (names) => {
    const { outputFiles: joined } = await build({
      ...options,
      stdin: { contents: names.map((name) => `export * from "./${name}";`).join("\n") },
      write: false,
      plugins: [inMemory(names)],
    });
    return [partName(names), joined[0].text];
  };
  const inMemory = (names) => ({
    name: "in-memory",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, kind }) => {
        const name = basename(path);
        if (kind === "dynamic-import" || !chunks.has(name)) return { path, external: true };
        if (names.includes(name)) return { path: name, namespace: "chunk" };
        return { path: `./${partOf.get(name) ?? name}`, external: true };
      });
      onLoad({ filter: /.*/, namespace: "chunk" }, ({ path }) => ({
        contents: texts.get(path),
        loader: "js",
      }));
    },
  });
  const whole = [...texts]
    .filter(([name]) => !partOf.has(name))
    .map(([name, text]) => [
      name,
      text.replaceAll(IMPORT, (_, before, path) => `${before}${partOf.get(path) ?? path}"`),
    ]);
  return [...(await Promise.all(parts.map(join))), ...whole];
}

/** As esbuild writes it. */
const IMPORT = /((?:from|import)"\.\/)([\w-]+\.js)"/g;

/** The names of chunks tell what is in them. */
function partName(names) {
  return `part-${createHash("sha256").update(names.join()).digest("hex").slice(0, 8)}.js`;
}

/** Which chunks become one, by a key. What a chunk imports is needed wherever it is, so no two parts need each other. */
function partsOf(chunks) {
  const importsOf = (name) =>
    chunks
      .get(name)
      .imports.filter(({ kind, external }) => kind === "import-statement" && !external)
      .map(({ path }) => basename(path));
  const fileOf = (source) => [...chunks].find(([, { entryPoint }]) => entryPoint === source)[0];
  const needed = STARTS.map((sources) => {
    const found = new Set();
    const visit = (name) => {
      if (found.has(name)) return;
      found.add(name);
      importsOf(name).forEach(visit);
    };
    sources.map(fileOf).forEach(visit);
    return found;
  });
  const [byRun, , byMain] = needed;
  const small = new Set();
  const taken = new Set();
  const isSmall = (name) =>
    !small.has(name) &&
    !byMain.has(name) &&
    !chunks.get(name).entryPoint &&
    chunks.get(name).bytes < SMALL_BYTES &&
    importsOf(name).every((one) => small.has(one) || byMain.has(one)) &&
    // Two of one name can't be exported from one file.
    !chunks.get(name).exports.some((one) => taken.has(one));
  for (let before = -1; before !== small.size; ) {
    before = small.size;
    for (const name of byRun) {
      if (!isSmall(name)) continue;
      small.add(name);
      for (const one of chunks.get(name).exports) taken.add(one);
    }
  }
  const parts = new Map();
  for (const [name, { entryPoint }] of [...chunks].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const key = small.has(name) ? "small" : needed.map((found) => Number(found.has(name))).join("");
    if (!entryPoint && key.replaceAll("0", "")) parts.set(key, [...(parts.get(key) ?? []), name]);
  }
  for (const [key, names] of parts) {
    const exported = names.flatMap((name) => chunks.get(name).exports);
    if (new Set(exported).size < exported.length) parts.delete(key);
  }
  return parts;
}
