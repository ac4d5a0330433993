import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { withoutReplaced } from "../archive/read-series.ts";
import { hashOf } from "../core/run.ts";
import { makeFolders, removeTree, replaceFile } from "../host/files.ts";
import type { Published, PublishedRun } from "./published-run.ts";

const VARINT = 0;
const BYTES = 2;

/**
 * Writes runs as W&B's library leaves them in offline mode, for `wandb sync`. A run has the same folder and the same id
 * each time, so that doing it again changes nothing, there and here; one that has changed is to be synced again.
 */
export function writeWandb(runs: Iterable<PublishedRun>, dir: string): Published {
  const published: Published = { place: dir, added: 0, changed: 0, known: 0, problems: [] };
  // A run that ran again began at another time: its folder keeps its name, or one id would be there twice.
  const there = new Map(
    existsSync(dir) ? readdirSync(dir).map((name) => [name.split("-").at(-1)!, name]) : [],
  );
  for (const run of runs) {
    const id = hashOf(run.id);
    const folder = join(dir, there.get(id) ?? `offline-run-${stampOf(run.startedAtMs)}-${id}`);
    const path = join(folder, `run-${id}.wandb`);
    const bytes = transactionLog(recordsOf(run, id));
    const before = existsSync(path) ? readFileSync(path) : undefined;
    if (before?.equals(bytes)) {
      published.known++;
      continue;
    }
    published[before ? "changed" : "added"]++;
    removeTree(join(folder, "files"));
    makeFolders(join(folder, "files"));
    for (const file of run.files) {
      const target = join(folder, "files", file.name);
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(file.path, target, constants.COPYFILE_FICLONE);
    }
    rmSync(`${path}.synced`, { force: true });
    // Last: a folder without it is no run yet.
    replaceFile(path, bytes, { isDurable: false });
  }
  return published;
}

/** `20261118_002657`, as the library names folders. */
function stampOf(timeMs: number): string {
  const digits = new Date(timeMs).toISOString().replaceAll(/\D/g, "");
  return `${digits.slice(0, 8)}_${digits.slice(8, 14)}`;
}

/** Numbers of the fields in wandb_internal.proto. */
const RECORD = {
  num: 1,
  history: 2,
  summary: 3,
  config: 5,
  files: 6,
  metric: 12,
  run: 17,
  exit: 18,
  header: 21,
};
const HEADER = { versionInfo: 1 };
const VERSION = { producer: 1, minConsumer: 2 };
const RUN = { id: 1, project: 3, config: 4, group: 6, name: 8, notes: 9, host: 13, startTime: 17 };
const TIME = { seconds: 1, nanos: 2 };
const LIST = { item: 1 };
const ITEM = { key: 1, nestedKey: 2, valueJson: 16 };
const HISTORY = { item: 1, step: 2 };
const STEP = { num: 1 };
const METRIC = { name: 1, globName: 2, stepMetric: 4, options: 6 };
const OPTIONS = { stepSync: 1, defined: 3 };
const FILE = { path: 1, policy: 2 };
const EXIT = { code: 1, runtime: 2 };
/** As a program's own files: they are sent once the run has ended. */
const POLICY_END = 1;
/** The library's own word for what can read it. */
const MIN_CONSUMER = "0.70.0";

function* recordsOf(run: PublishedRun, id: string): Generator<Buffer> {
  let num = 0;
  const record = (kind: keyof typeof RECORD, content: Buffer) =>
    protobuf([RECORD.num, ++num], [RECORD[kind], content]);
  const seconds = Math.floor(run.startedAtMs / 1000);
  const runtime = Math.round(run.wallMs / 1000);
  const version = protobuf([VERSION.producer, "assay"], [VERSION.minConsumer, MIN_CONSUMER]);
  yield record("header", protobuf([HEADER.versionInfo, version]));
  yield record(
    "run",
    protobuf(
      [RUN.id, id],
      [RUN.project, run.study.replaceAll(/[/\\#?%:]/g, "-")],
      [RUN.config, itemList({ ...run.params, assay: { run_id: run.id, ...run.facts } })],
      [RUN.group, run.arm ?? undefined],
      [RUN.name, run.id],
      [RUN.notes, run.outcome.reason],
      [RUN.startTime, protobuf([TIME.seconds, seconds], [TIME.nanos, nanosOf(run.startedAtMs)])],
    ),
  );
  const steps = withoutReplaced(run.readSteps());
  for (const metric of definedMetrics(steps)) yield record("metric", metric);
  for (const [num, values] of historyOf(steps, run))
    yield record(
      "history",
      protobuf(
        ...Object.entries(values).map(([key, value]): ProtoField => [HISTORY.item, item([key], value)]),
        [HISTORY.step, protobuf([STEP.num, num])],
      ),
    );
  yield record("summary", itemList({ ...lastOf(steps), ...run.metrics, _wandb: { runtime } }));
  if (run.files.length > 0)
    yield record(
      "files",
      protobuf(
        ...run.files.map(
          ({ name }): ProtoField => [LIST.item, protobuf([FILE.path, name], [FILE.policy, POLICY_END])],
        ),
      ),
    );
  const { status, exitCode } = run.outcome;
  const code = status === "ok" || status === "stopped" ? 0 : exitCode || 1;
  yield record("exit", protobuf([EXIT.code, code], [EXIT.runtime, runtime]));
}

function nanosOf(timeMs: number): number {
  return Math.round((timeMs % 1000) * 1e6);
}

function itemList(values: Record<string, unknown>): Buffer {
  return protobuf(
    ...Object.entries(values).map(([key, value]): ProtoField => [LIST.item, item([key], value)]),
  );
}

function item(path: readonly string[], value: unknown): Buffer {
  const json: ProtoField = [ITEM.valueJson, JSON.stringify(value)];
  return path.length === 1
    ? protobuf([ITEM.key, path[0]], json)
    : protobuf(...path.map((key): ProtoField => [ITEM.nestedKey, key]), json);
}

/** What counts as a row for W&B: one per line, its number as `_step`, which must grow. */
function* historyOf(
  steps: readonly Record<string, unknown>[],
  { startedAtMs, wallMs }: PublishedRun,
): Generator<[number, Record<string, unknown>]> {
  let last = -1;
  for (const { _axes, ...values } of steps) {
    const told = values._step ?? values.step;
    const num = typeof told === "number" && Number.isInteger(told) && told > last ? told : last + 1;
    last = num;
    // Without a time of its own nobody knows when a line came: at the latest when the run ended.
    const _timestamp = values._timestamp ?? (startedAtMs + wallMs) / 1000;
    yield [num, { ...values, _timestamp, _step: num }];
  }
}

function lastOf(steps: readonly Record<string, unknown>[]): Record<string, unknown> {
  const { _axes, ...last } = Object.assign({}, ...steps) as Record<string, unknown>;
  return last;
}

/** What `define_metric` said: which metric counts the steps of which others. */
function definedMetrics(steps: readonly Record<string, unknown>[]): Buffer[] {
  const axes = Object.assign({}, ...steps.map(({ _axes }) => _axes)) as Record<string, string>;
  return Object.entries(axes).map(([name, stepMetric]) =>
    protobuf(
      [name.endsWith("*") ? METRIC.globName : METRIC.name, name],
      [METRIC.stepMetric, stepMetric],
      [METRIC.options, protobuf([OPTIONS.stepSync, true], [OPTIONS.defined, true])],
    ),
  );
}

const BLOCK_BYTES = 32_768;
const HEAD_BYTES = 7;
const WHOLE = 1;
const FIRST = 2;
const MIDDLE = 3;
const LAST = 4;

/** The library's file: a log as LevelDB's, with checksums of its own (CRC-32 over kind and content). */
function transactionLog(records: Iterable<Buffer>): Buffer {
  const parts: Buffer[] = [Buffer.from([0x3a, 0x57, 0x26, 0x42, 0xe1, 0xbe, 0x00])];
  let at = HEAD_BYTES;
  const push = (bytes: Buffer) => {
    parts.push(bytes);
    at += bytes.length;
  };
  for (const record of records) {
    let from = 0;
    let isBegun = false;
    for (let isEnd = false; !isEnd; ) {
      const left = BLOCK_BYTES - (at % BLOCK_BYTES);
      if (left < HEAD_BYTES) {
        push(Buffer.alloc(left));
        continue;
      }
      const piece = record.subarray(from, from + left - HEAD_BYTES);
      from += piece.length;
      isEnd = from === record.length;
      const kind = isBegun ? (isEnd ? LAST : MIDDLE) : isEnd ? WHOLE : FIRST;
      isBegun = true;
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUInt32LE(crc32(piece, crc32(Buffer.from([kind]))), 0);
      head.writeUInt16LE(piece.length, 4);
      head.writeUInt8(kind, 6);
      push(head);
      push(piece);
    }
  }
  return Buffer.concat(parts);
}

/** A field of a message: its number, and a text, a whole number, a truth or a message. What is undefined is left out. */
type ProtoField = readonly [number, string | number | boolean | Uint8Array | undefined];

/** Encodes a message of Protocol Buffers. Whole numbers are of the kinds that are written as they are (int32, int64, bool). */
function protobuf(...fields: readonly ProtoField[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const [number, value] of fields) {
    if (value === undefined) continue;
    if (typeof value === "number" || typeof value === "boolean") {
      parts.push(varint((number << 3) | VARINT), varint(Number(value)));
    } else {
      const bytes = typeof value === "string" ? Buffer.from(value) : value;
      parts.push(varint((number << 3) | BYTES), varint(bytes.length), bytes);
    }
  }
  return Buffer.concat(parts);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  while (left > 0x7fn) {
    bytes.push(Number(left & 0x7fn) | 0x80);
    left >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(left)]);
}
