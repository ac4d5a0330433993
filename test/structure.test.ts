import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** What each room may import besides itself and core: rooms, or single files of one. docs/architecture.md tells why. */
const MAY_IMPORT: Record<string, string[]> = {
  core: [],
  dialects: [],
  plan: [],
  stats: [],
  searchers: ["stats"],
  stoppers: ["stats"],
  analysis: ["stats"],
  plots: [],
  reporters: ["analysis", "plots"],
  archive: [],
  sinks: [],
  instruments: [],
  models: [],
  sandboxes: [],
  // The registry names the shipped targets, also the one that is a room of its own.
  targets: ["targets/agent/index.ts", "targets/rollout/index.ts"],
  "targets/agent": ["models", "sandboxes"],
  "targets/rollout": ["models", "sandboxes", "targets/agent"],
  executors: ["targets", "instruments", "stats", "fleet"],
  // A worker runs what it is sent with the executors of one machine, and limits go by a model's provider.
  fleet: [
    "executors/executor.ts",
    "executors/index.ts",
    "executors/marked-processes.ts",
    "targets",
    "engine/environment.ts",
    "models/model-spec.ts",
    "../package.json",
  ],
  // What runs a study never reads results, beyond what resuming one needs.
  launch: [
    ...["dialects", "plan", "engine", "executors", "targets", "models", "sinks", "searchers", "stoppers"],
    ...[
      "archive/read-records.ts",
      "archive/find-study.ts",
      "archive/late-attempts.ts",
      "api/package-file.ts",
    ],
  ],
  server: ["api", "archive", "analysis", "reporters"],
  engine: ["plan", "executors/executor.ts", "searchers/searcher.ts", "sinks/sink.ts"],
};
/** Where rooms meet: `api` may import everything but the command line, which may import everything. */
const MEET = ["api", "cli", "."];
const PURE = ["core", "dialects", "plan", "searchers", "stoppers", "stats", "analysis", "plots", "reporters"];
const IMPURE = /["']node:|\bDate\b|\bMath\.random\b|\bprocess\.(?!\.)|\bperformance\./;
const MOST_LINES = 300;

const root = fileURLToPath(new URL("../src", import.meta.url));
const IMPORT =
  /\b(import|export)\s+(type\s)?(?:[\w*{}\s,]+?\sfrom\s+)?"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"\s*\)/g;

interface SourceFile {
  path: string;
  room: string;
  code: string;
  lines: number;
  imports: { path: string; isType: boolean }[];
}

const files: SourceFile[] = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const imports = [...text.matchAll(IMPORT)].map(([, , type, fixed, late]) => ({
      path: join(dirname(path), (fixed ?? late)!),
      isType: type !== undefined,
    }));
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:"])\/\/.*/g, "");
    return { path, room: roomOf(path), code, lines: text.split("\n").length, imports };
  });

function roomOf(path: string): string {
  const [first, second] = path.split("/");
  const nested = `${first}/${second}`;
  return nested in MAY_IMPORT ? nested : path.includes("/") ? first! : ".";
}

function isAllowed({ room }: SourceFile, imported: string): boolean {
  const to = roomOf(imported);
  if (to === room || to === "core") return true;
  if (MEET.includes(room)) return room !== "api" || to !== "cli";
  const own = room.startsWith("targets/") && to === "targets";
  return own || MAY_IMPORT[room]!.some((allowed) => allowed === to || allowed === imported);
}

describe("the house", () => {
  test("has sources, and every room stands in the table", () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(300);
    expect(
      [...new Set(files.map(({ room }) => room))].filter(
        (room) => !MEET.includes(room) && !(room in MAY_IMPORT),
      ),
    ).toEqual([]);
  });

  test("has no import that the table does not allow", () => {
    const wrong = files.flatMap((file) =>
      file.imports.filter(({ path }) => !isAllowed(file, path)).map(({ path }) => `${file.path} -> ${path}`),
    );
    expect(wrong).toEqual([]);
  });

  test("has no circle of files, types excepted", () => {
    const uses = new Map(files.map(({ path, imports }) => [path, imports.filter(({ isType }) => !isType)]));
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, way: string[]): void => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" -> "));
      if (way.includes(path) || done.has(path)) return;
      for (const next of uses.get(path) ?? []) visit(next.path, [...way, path]);
      done.add(path);
    };
    for (const { path } of files) visit(path, []);
    expect(circles).toEqual([]);
  });

  test("keeps its pure rooms free of the machine, the clock and chance", () => {
    const impure = files.filter(({ room, code }) => PURE.includes(room) && IMPURE.test(code));
    expect(impure.map(({ path, code }) => `${path}: ${IMPURE.exec(code)![0]}`)).toEqual([]);
  });

  test(`has no file of ${MOST_LINES} lines`, () => {
    expect(files.filter(({ lines }) => lines >= MOST_LINES).map(({ path }) => path)).toEqual([]);
  });
});
