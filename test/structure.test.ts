import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sims } from "../packages/sims/src/index.ts";
import { RECORD_SHAPE } from "../src/core/read-journal.ts";
import type { Shape } from "../src/core/shape.ts";
import {
  CASSETTE_FILE,
  RUN_FILES,
  SPENT_FILE,
  STEPS_FOLDER,
  STUDY_FILES,
  studyFileProblem,
} from "../src/core/study-folder.ts";
import { dialects } from "../src/dialects/index.ts";

/** What each room may import besides itself, core and (where it is not pure) host. docs/architecture.md tells why. */
const MAY_IMPORT: Record<string, string[]> = {
  core: [],
  host: [],
  // A matrix file that names no program is about the simulator.
  dialects: ["packages/sims"],
  plan: [],
  stats: [],
  search: ["search/space", "search/searchers", "search/stoppers", "plan"],
  "search/space": ["stats"],
  "search/searchers": ["search/space", "stats"],
  "search/stoppers": ["stats"],
  "search/shared": ["engine"],
  design: [],
  analysis: ["stats", "design"],
  plots: [],
  reporters: ["design", "analysis", "plots"],
  // Which records are of the study as it is now, its plan tells.
  archive: ["plan"],
  "archive/imports": ["archive", "archive/trajectories", "plan"],
  "archive/trajectories": ["archive"],
  exporters: ["archive"],
  instruments: [],
  models: [],
  sandboxes: [],
  gateway: ["models"],
  targets: ["packages/sims"],
  "targets/agent": ["models", "sandboxes"],
  "targets/coding": ["models", "gateway", "sandboxes", "targets/agent"],
  // What agents left behind is read in one place. Programs' calls to models are metered and told as agents' are.
  executors: [
    ...["targets", "targets/coding", "gateway", "models", "instruments", "stats", "fleet"],
    "archive/trajectories",
  ],
  // Limits go by a model's provider. What carries out runs, a worker is told.
  fleet: ["targets", "models"],
  // Where a team keeps its studies; S3 is spoken as the fleet speaks it.
  depots: ["fleet"],
  // What runs left is scored by programs, run as the runs are, and by models.
  scoring: ["executors", "targets", "targets/coding", "models"],
  // What runs a study reads its folder to resume it, and never asks what the results mean.
  launch: [
    ...["dialects", "plan", "engine", "executors", "scoring", "targets", "models", "search", "archive"],
    "stats",
  ],
  "launch/search": [
    ...["search", "search/searchers", "search/stoppers", "search/shared"],
    ...["dialects", "plan", "engine", "executors", "launch", "archive"],
  ],
  // What reads a study never launches one; a target is asked for what it declares.
  read: [
    ...["plan", "targets", "archive", "archive/trajectories"],
    ...["design", "analysis", "stats", "plots", "reporters"],
  ],
  // One function per command: where the two sides meet.
  api: [
    ...["launch", "dialects", "plan", "engine", "executors", "fleet", "models", "instruments"],
    ...["search", "search/space", "launch/search", "targets", "targets/agent", "sandboxes"],
    ...["search/searchers", "search/stoppers"],
    ...["read", "archive", "archive/imports", "archive/trajectories", "exporters", "depots"],
    ...["design", "analysis", "stats", "plots", "reporters"],
  ],
  // What authors of plugins can try theirs against.
  contracts: [
    ...[
      "api",
      "read",
      "targets",
      "archive/imports",
      "executors",
      "reporters",
      "instruments",
      "models",
      "sandboxes",
    ],
    ...["search/searchers", "search/stoppers"],
  ],
  server: ["api", "read", "archive", "design", "analysis", "reporters"],
  engine: ["plan"],
  viewer: ["plots", "types of reporters", "types of analysis"],
};
/** May import everything. */
const MEET = ["cli", "."];
/** What turns records into answers, and what carries out a study: neither may reach the other, by whatever way. */
const READING = ["read", "design", "analysis", "plots", "reporters"];
const LAUNCHING = ["launch", "engine", "executors", "scoring", "fleet", "launch/search", "search/shared"];
const PURE = [
  "core",
  "dialects",
  "plan",
  "search",
  "search/space",
  "search/searchers",
  "search/stoppers",
  "stats",
  "design",
  "analysis",
  "plots",
  "reporters",
];
const IMPURE = /["']node:|\bDate\b|\bMath\.random\b|\bprocess\.(?!\.)|\bperformance\./;
/** Replacing a file, waiting, asking whether a process lives, this package's version, what a full disk says. */
const HOSTS_OWN = [
  /\.tmp[`"']/,
  /await new Promise\(\(resolve\) => setTimeout/,
  /\.kill\([^)]*, 0\)/,
  /package\.json" with/,
  /JSON\.parse\(readFileSync/,
];
/** Files of other folders, and of other tools, that happen to be named alike. */
const NAMED_ALIKE = ["result.json", "stdout.txt", "stderr.txt", "job.json"];
const FILES = [...Object.values(STUDY_FILES), ...Object.values(RUN_FILES), SPENT_FILE].filter(
  (name) => name.includes(".") && !NAMED_ALIKE.includes(name),
);
/** A file's whole name, or a folder's as part of a path that is made. */
const SPELLED = new RegExp(
  `[/"'\`](?:${FILES.map((name) => name.replaceAll(".", "\\.")).join("|")})["'\`]|\\}/(?:runs|out|control|earlier)[/\`]`,
  "g",
);
const MOST_LINES = 300;

const root = fileURLToPath(new URL("../src", import.meta.url));
const IMPORT =
  /^(import|export)\s+(type\s)?(?:[\w*{}\s,]+?\sfrom\s+)?"([^"\n]+)"|\bimport\(\s*"([^"\n]+)"\s*\)/gm;
/** What others may import of the house, by the name that they know it by. */
const PUBLIC: Record<string, string> = { "assay/plugin": "plugin.ts", "assay/stats": "stats/index.ts" };

interface SourceFile {
  path: string;
  room: string;
  code: string;
  lines: number;
  imports: Import[];
  /** Imported by name: of npm, of Node, or what the house offers to others. */
  packages: string[];
}

interface Import {
  path: string;
  isType: boolean;
}

const files = [...readFolder("."), ...readFolder("../viewer")];
const simFiles = readFolder("../packages/sims/src");

function readFolder(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readSource(join(folder, path)));
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:"])\/\/.*/g, "");
  const all = [...code.matchAll(IMPORT)].map(([, , type, fixed, late]) => ({
    path: (fixed ?? late)!,
    isType: type !== undefined,
  }));
  const imports = all
    .filter((one) => /^\..*\.tsx?$/.test(one.path) || one.path in PUBLIC)
    .map((one) => ({
      ...one,
      path: PUBLIC[one.path] ?? relative(root, join(root, dirname(path), one.path)),
    }));
  const packages = all.map((one) => one.path).filter((name) => !name.startsWith("."));
  return { path, room: roomOf(path), code, lines: text.split("\n").length, imports, packages };
}

/** `viewer/` stands beside `src/`, and is a room of the house. */
function roomOf(path: string): string {
  if (path.startsWith("../viewer/")) return "viewer";
  if (path.startsWith("../packages/sims/")) return "packages/sims";
  const [first, second] = path.split("/");
  const nested = `${first}/${second}`;
  return nested in MAY_IMPORT ? nested : path.includes("/") ? first! : ".";
}

function isAllowed({ path, room }: SourceFile, { path: imported, isType }: Import): boolean {
  const to = roomOf(imported);
  if (to === room || to === "core") return true;
  // The viewer runs in a browser.
  if (to === "host") return !PURE.includes(room) && room !== "viewer";
  // A family's registry names its members, also those that are rooms of their own.
  if (path === `${room}/index.ts` && imported === `${to}/index.ts` && to.startsWith(`${room}/`)) return true;
  if (MEET.includes(room)) return to !== "viewer";
  const own = room.startsWith("targets/") && to === "targets";
  const words = [to, ...(isType ? [`types of ${to}`] : [])];
  return own || MAY_IMPORT[room]!.some((allowed) => words.includes(allowed));
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
      file.imports.filter((one) => !isAllowed(file, one)).map(({ path }) => `${file.path} -> ${path}`),
    );
    expect(wrong).toEqual([]);
  });

  test("keeps what launches a study apart from what reads it", () => {
    const uses = new Map(files.map(({ path, imports }) => [path, imports]));
    const reached = new Set<string>();
    const visit = (path: string): void => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const next of uses.get(path) ?? []) visit(next.path);
    };
    for (const { path, room } of files) if (LAUNCHING.includes(room)) visit(path);
    expect([...reached].filter((path) => READING.includes(roomOf(path)))).toEqual([]);
    reached.clear();
    for (const { path, room } of files) if (READING.includes(room)) visit(path);
    expect([...reached].filter((path) => LAUNCHING.includes(roomOf(path)))).toEqual([]);
  });

  test("has no circle of files, types excepted", () => {
    const everything = [...files, ...simFiles];
    const uses = new Map(
      everything.map(({ path, imports }) => [path, imports.filter(({ isType }) => !isType)]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, way: string[]): void => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" -> "));
      if (way.includes(path) || done.has(path)) return;
      for (const next of uses.get(path) ?? []) visit(next.path, [...way, path]);
      done.add(path);
    };
    for (const { path } of everything) visit(path, []);
    expect(circles).toEqual([]);
  });

  test("keeps its pure rooms free of the machine, the clock and chance", () => {
    const impure = files.filter(({ room, code }) => PURE.includes(room) && IMPURE.test(code));
    expect(impure.map(({ path, code }) => `${path}: ${IMPURE.exec(code)![0]}`)).toEqual([]);
  });

  test("leaves to host what it does: no other room has a way of its own", () => {
    const own = files.flatMap(({ path, room, code }) =>
      room === "host"
        ? []
        : HOSTS_OWN.filter((pattern) => pattern.test(code)).map((pattern) => `${path}: ${pattern}`),
    );
    expect(own).toEqual([]);
  });

  test("names what is in a study's folder in one place", () => {
    // What the viewer puts together are addresses of the server, not paths.
    const isAddress = (room: string, name: string) => room === "viewer" && name.startsWith("}");
    const spelled = files.flatMap(({ path, room, code }) =>
      path === "core/study-folder.ts"
        ? []
        : [...code.matchAll(SPELLED)].flatMap(([name]) => (isAddress(room, name) ? [] : `${path}: ${name}`)),
    );
    expect(spelled).toEqual([]);
  });

  test("asks no target and no study file who they are: they declare what they mean", () => {
    const names = dialects.map(({ name }) => name).join("|");
    const asks = new RegExp(`\\btarget\\??\\.name\\s*[!=]==|["'\`](?:${names})["'\`]`);
    const asking = files.filter(({ room, code }) => !/^(targets|dialects)/.test(room) && asks.test(code));
    expect(asking.map(({ path, code }) => `${path}: ${asks.exec(code)![0]}`)).toEqual([]);
  });

  test("has one formatter of numbers: no other file rounds for people in a way of its own", () => {
    // What `assay new` writes is the user's own file.
    const own = files.filter(
      ({ path, code }) =>
        path !== "core/number-text.ts" &&
        !path.startsWith("api/scaffold/") &&
        /\.to(?:Fixed|Precision)\(/.test(code),
    );
    expect(own.map(({ path }) => path)).toEqual([]);
  });

  test(`has no file of ${MOST_LINES} lines`, () => {
    const long = [...files, ...simFiles].filter(({ lines }) => lines >= MOST_LINES);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

describe("the package of simulators", () => {
  const manifest = JSON.parse(readFileSync(join(root, "../packages/sims/package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };

  test("is written with the public API alone: what a user's own target could import", () => {
    expect(simFiles.length).toBeGreaterThan(50);
    const wrong = simFiles.flatMap(({ path, imports, packages }) => [
      ...imports
        .map((one) => one.path)
        .filter((to) => !to.startsWith("../packages/sims/src/") && !Object.values(PUBLIC).includes(to))
        .map((to) => `${path} -> ${to}`),
      ...packages
        .filter((name) => !(name in PUBLIC) && !name.startsWith("node:") && !(name in manifest.dependencies))
        .map((name) => `${path} -> ${name}`),
    ]);
    expect(wrong).toEqual([]);
    expect(simFiles.some(({ packages }) => packages.includes("assay/plugin"))).toBe(true);
  });

  test("is known to the house by what it declares: no file asks for one of its targets by name", () => {
    const importers = files.filter(({ imports }) =>
      imports.some(({ path }) => path.startsWith("../packages")),
    );
    expect(importers.map(({ path }) => path).sort()).toEqual([
      "dialects/matrix-json.ts",
      "plugin.ts",
      "targets/index.ts",
    ]);
    const names = [...Object.keys(sims.targets), ...Object.keys(sims.suites)];
    // "learn" is also a word of the language, so a name counts where it stands alone in quotes, or can be no word.
    const asks = new RegExp(
      names.map((name) => (/[-_]/.test(name) ? `\\b${name}\\b` : `["'\`]${name}["'\`]`)).join("|"),
    );
    const named = files.filter(({ code }) => asks.test(code));
    expect(named.map(({ path, code }) => `${path}: ${asks.exec(code)![0]}`)).toEqual([]);
  });
});

interface StudySchema {
  properties: { launches: { items: { properties: object } } };
}

describe("docs/architecture.md", () => {
  const page = readFileSync(join(root, "../docs/architecture.md"), "utf8");
  /** The cells of each row whose first one names rooms. */
  const rows = [...page.matchAll(/^\| `([\w/]+)\/`.*\|([^|]*)\|$/gm)].map(([, room, cell]) => ({
    room: room!,
    cell: cell!,
  }));

  test("says of every room what it may import, as it is checked", () => {
    const rooms = Object.keys(MAY_IMPORT).filter((room) => room !== "core" && room !== "host");
    const told = rows
      .filter(({ room }) => room in MAY_IMPORT)
      .map(({ room, cell }) => {
        const named = [...cell.matchAll(/(types of )?`([\w/]+)`/g)].map(
          ([, types = "", name]) => types + name,
        );
        const isRest = cell.includes("everything but");
        const may = isRest ? rooms.filter((name) => name !== room && !named.includes(name)) : named;
        return [room, may.sort()];
      });
    const checked = Object.entries(MAY_IMPORT).map(([room, names]) => [room, [...names].sort()]);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(checked));
  });

  test("names files that exist", () => {
    const paths = [...files, ...simFiles].map(({ path }) => `/${path}`);
    const named = [...page.matchAll(/`((?:[\w-]+\/)*[\w-]+\.tsx?)`/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(5);
    const missing = named.filter(
      (name) =>
        !paths.some((path) => path.endsWith(`/${name.replace(/^src\//, "")}`)) &&
        !existsSync(join(root, "..", name)),
    );
    expect(missing).toEqual([]);
  });

  test("says what every key of study.json and of a line of the journal is", () => {
    const rowOf = (file: string) => page.split("\n").find((line) => line.startsWith(`| \`${file}\` |`))!;
    const keysOf = ({ schema }: Shape) => Object.keys((schema as { properties: object }).properties);
    const launch = (studyFileProblem.schema as unknown as StudySchema).properties.launches.items.properties;
    const known = {
      "study.json": [...keysOf(studyFileProblem), ...Object.keys(launch)],
      "journal.jsonl": keysOf(RECORD_SHAPE),
    };
    for (const [file, keys] of Object.entries(known))
      expect(
        keys.filter((key) => !rowOf(file).includes(`\`${key}\``)),
        file,
      ).toEqual([]);
  });

  test("says what every file of a study's folder is", () => {
    const tree = /^<outRoot>.*?^```/ms.exec(page)![0];
    const names = [
      ...[...Object.values(STUDY_FILES), ...Object.values(RUN_FILES)],
      ...[SPENT_FILE, CASSETTE_FILE, STEPS_FOLDER],
    ];
    expect(names.filter((name) => !tree.includes(name))).toEqual([]);
  });
});
