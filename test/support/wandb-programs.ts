import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TempFolder } from "./temp-folder.ts";

const ours = fileURLToPath(new URL("../../python/stand-ins", import.meta.url));
const programs = fileURLToPath(new URL("../fixtures/wandb/", import.meta.url));

/** Small programs in the style of public ones: what a sweep sets for each, and the words that it is called with. */
export const WANDB_PROGRAMS: Record<string, { params?: object; argv?: string[]; code?: number }> = {
  quickstart: {},
  argparse_config: {
    params: { lr: 0.25, batch_size: 64 },
    argv: ["--lr=0.25", "--batch-size=64", "--epochs=3"],
  },
  no_args: { params: { epochs: 4, learning_rate: 0.1 } },
  hydra_overrides: { argv: ["model.width=64", "++optimizer.lr=0.01", "+tag=fast"] },
  nested_sweep: { params: { optimizer: { lr: 0.5, name: "adam" } } },
  torch_loop: { params: { lr: 0.2 } },
  explicit_steps: {},
  define_metrics: {},
  summaries: {},
  tables_and_media: {},
  artifacts: {},
  many_runs: {},
  diverges: {},
  config_styles: {},
  callback: { params: { epochs: 4 } },
  crashes: { code: 1 },
};

/** What a program left: plain data, in which what is no number is a text. */
export interface WandbRecord {
  config: Record<string, unknown>;
  history: Record<string, unknown>[];
  summary: Record<string, unknown>;
}

/** One program with one of the two libraries: ours, or the one that this Python has. */
export class WandbCall implements Disposable {
  readonly #folder: TempFolder;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;

  constructor(name: string, { python = "python3", isOurs = true, env = {} } = {}) {
    const { params, argv = [] } = WANDB_PROGRAMS[name] ?? {};
    const config = Object.entries(params ?? {}).map(([key, value]) => [key, { value }]);
    this.#folder = new TempFolder({
      "sweep.yaml": JSON.stringify({ wandb_version: 1, ...Object.fromEntries(config) }),
    });
    const { path } = this.#folder;
    const { PATH, HOME } = process.env;
    const ended = spawnSync(python, [`${programs}${name}.py`, ...argv], {
      cwd: path,
      encoding: "utf8",
      env: {
        ...{ PATH, HOME, WANDB_MODE: "offline", WANDB_DIR: path, WANDB_SILENT: "true" },
        ...(params && { WANDB_SWEEP_PARAM_PATH: `${path}/sweep.yaml`, WANDB_SWEEP_ID: "sweep1" }),
        ...(isOurs && { PYTHONPATH: ours, ASSAY_OUT_DIR: path, ASSAY_SERIES: `${path}/series.jsonl` }),
        ...env,
      },
    });
    this.code = ended.status;
    this.stdout = ended.stdout;
    this.stderr = ended.stderr;
  }

  get path(): string {
    return this.#folder.path;
  }

  get series(): Record<string, number>[] {
    const path = `${this.path}/series.jsonl`;
    return existsSync(path) ? jsonLines(readFileSync(path, "utf8")) : [];
  }

  /** The folder of the newest run that our library made. */
  get runDir(): string {
    const run = readdirSync(`${this.path}/wandb`).sort().at(-1);
    return `${this.path}/wandb/${run}/files`;
  }

  get recorded(): WandbRecord {
    const read = (file: string) => readFileSync(`${this.runDir}/${file}`, "utf8");
    const config = Object.entries(parse(read("config.yaml")) as Record<string, { value: unknown }>);
    return {
      config: Object.fromEntries(config.map(([name, { value }]) => [name, value])),
      history: jsonLines<Record<string, unknown>>(read("wandb-history.jsonl")).map(comparable),
      summary: comparable(parse(read("wandb-summary.json")) as Record<string, unknown>),
    };
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

function jsonLines<T extends object>(text: string): T[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => parse(line) as T);
}

/** Python writes what is no number as it is. */
export function parse(text: string): unknown {
  return JSON.parse(text.replaceAll(/(?<=[:,[]\s*)(-?Infinity|NaN)(?=\s*[,}\]])/g, '"$1"'));
}

/** What both libraries record alike: no clocks, and of media only what they are. */
export function comparable(values: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(values).filter(([name]) => !/^_(?!step)/.test(name));
  return Object.fromEntries(known.map(([name, value]) => [name, withoutPaths(value)]));
}

function withoutPaths(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { _type: kind, nrows, ncols, values, bins } = value as Record<string, unknown>;
  if (kind !== undefined) return { kind, nrows, ncols, values, bins };
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutPaths(item)]));
}
