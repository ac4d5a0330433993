import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import * as z from "zod";
import { UserError } from "../../core/errors.ts";
import type { FileRef } from "../../core/study.ts";
import { readNamed } from "../../host/files.ts";
import { interpreter } from "../command/find-program.ts";
import { pythonDir } from "../command/python-env.ts";
import { lastLine } from "../command/read-printed.ts";
import type { Target } from "../target.ts";

/** What `assay_bench.py describe` prints last. */
interface Described {
  problem?: string;
  name: string;
  description: string;
  /** Null where the benchmark takes whatever it is given. */
  params: DescribedParam[] | null;
  /** Of the project's own modules, those that were loaded. */
  files: string[];
  /** Its version. */
  python: string;
}

interface DescribedParam {
  name: string;
  type: string;
  choices?: (string | number | boolean)[];
  optional?: boolean;
  default?: unknown;
}

const LONGEST_MS = 60_000;
const known = new Map<string, Target>();

/** A benchmark in Python as a target: its parameters come from its signature. Its runs run in Python alone. */
export function loadPythonTarget(ref: FileRef): Target {
  const key = `${ref.path}:${ref.member ?? ""}`;
  let target = known.get(key);
  if (!target) {
    target = makeTarget(describe(ref));
    known.set(key, target);
  }
  return target;
}

function makeTarget({ name, description, params, files, python }: Described): Target {
  const shape = Object.fromEntries((params ?? []).map((param) => [param.name, schemaOf(param)]));
  return {
    name,
    description,
    params: params === null ? z.looseObject(shape) : z.strictObject(shape),
    loadedFiles: files,
    python,
    run: () => {
      throw new Error(`${name} is written in Python and runs in a process of its own`);
    },
  };
}

function describe({ path, member }: FileRef): Described {
  if (!existsSync(path)) {
    throw new UserError(`target file ${path} does not exist`, {
      remedy: "Paths are relative to the study file.",
    });
  }
  // A pipe would keep Python waiting.
  readNamed(path);
  const words = [`${pythonDir()}/assay_bench.py`, "describe", path, ...(member ? [member] : [])];
  const { stdout, stderr, status, error } = spawnSync(interpreter(), words, {
    encoding: "utf8",
    cwd: dirname(path),
    timeout: LONGEST_MS,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  if (error || status !== 0) {
    const why = error ? error.message : lastLine(stderr);
    throw new UserError(`target file ${path} failed to load: ${why}`, {
      remedy: error ? "A benchmark in Python needs python3 in PATH." : `Try it: python3 ${basename(path)}`,
    });
  }
  const described = JSON.parse(stdout.trimEnd().split("\n").at(-1)!) as Described;
  if (described.problem !== undefined) {
    throw new UserError(`target file ${path}: ${described.problem}`, {
      expected: "a class with execute_once, or a function",
    });
  }
  return described;
}

function schemaOf({ type, choices = [], optional, default: fallback }: DescribedParam): z.ZodType {
  const kinds: Record<string, z.ZodType> = {
    int: z.int(),
    float: z.number(),
    bool: z.boolean(),
    str: z.string(),
    list: z.array(z.json()),
    dict: z.record(z.string(), z.json()),
    choice: z.literal(choices.length > 0 ? choices : [""]),
  };
  const kind = kinds[type] ?? z.json();
  const taken = optional ? kind.nullable() : kind;
  return fallback === undefined ? taken : taken.default(fallback);
}
