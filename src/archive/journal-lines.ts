import { csvCell } from "../core/escape.ts";
import { parseRecord } from "../core/read-journal.ts";
import { type RunRecord, STATUSES } from "../core/run.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import type { ByteSink } from "./byte-sink.ts";
import type { Columns } from "./columns.ts";
import { type FlagColumn, flagCells, type Group, notesText, type Row, rowOf, runtimeCells } from "./row.ts";

const MOST_SHAPES = 8;
const KNOWN_STATUSES = new Set<string>(STATUSES);
const NEWLINE = 10;
const LETTER_N = 110;
const [QUOTE, COMMA, MINUS, OPEN, BACKSLASH, CLOSE, BRACE_OPEN, BRACE_CLOSE] = [
  34, 44, 45, 91, 92, 93, 123, 125,
] as const;
/** Cells that `runtimeCells` makes from several values, or from a part of one. */
const COMPUTED = ["exit_code", "wall_time_s", "run_dir", "start_time_unix_s", "end_time_unix_s"];

export interface LineSetting {
  studyDir: string;
  flags: readonly FlagColumn[];
  columns: Columns;
}

/** How the lines of one shape become lines of CSV: a cell is copied from a value, computed by name, or fixed. */
interface Template {
  shape: LineShape;
  cells: { slot: number; group: Group; name: string; text: string | undefined }[];
  fields: Record<"id" | "flags" | "startedAtMs" | "wallMs" | "status", number>;
}

/** Turns journal lines into CSV lines. */
export class JournalLines {
  readonly #setting: LineSetting;
  readonly #templates: Template[] = [];
  readonly #values = new Values();
  #isPlainDir: boolean | undefined;
  readonly #flagCells = new Map<string, Record<string, unknown>>();

  constructor(setting: LineSetting) {
    this.#setting = setting;
  }

  /** Writes the line as CSV, unless it has a column that is not known, or is no record. */
  convert(
    bytes: Buffer,
    start: number,
    end: number,
    sink: ByteSink,
  ): "written" | "unknown column" | "broken" {
    for (const template of this.#templates) {
      if (!readByShape(template.shape, bytes, { start, end }, this.#values)) continue;
      if (!this.#hasKnownStatus(template, bytes)) continue;
      this.#fill(template, bytes, sink);
      return "written";
    }
    const record = recordIn(bytes, start, end);
    if (!record) return "broken";
    const { studyDir, flags, columns } = this.#setting;
    const row = rowOf(record, studyDir, flags);
    if (!columns.covers(row)) return "unknown column";
    if (this.#templates.length < MOST_SHAPES) this.#learn(bytes.subarray(start, end), record);
    sink.text(columns.line(row));
    return "written";
  }

  #hasKnownStatus({ fields }: Template, bytes: Buffer): boolean {
    const { starts, ends } = this.#values;
    return KNOWN_STATUSES.has(bytes.toString("latin1", starts[fields.status], ends[fields.status]));
  }

  #fill({ cells, fields, shape }: Template, bytes: Buffer, sink: ByteSink): void {
    const { starts, ends, needCare } = this.#values;
    const textOf = (index: number) => bytes.toString("latin1", starts[index], ends[index]);
    const computed = runtimeCells(
      {
        id: "",
        outcome: { status: textOf(fields.status) as RunRecord["outcome"]["status"] },
        attempt: 0,
        program: "",
        wallMs: Number(textOf(fields.wallMs)),
        startedAtMs: Number(textOf(fields.startedAtMs)),
      },
      "",
    );
    const flags = this.#flagsOf(textOf(fields.flags));
    for (let i = 0; i < cells.length; i++) {
      const { slot, group, name, text } = cells[i]!;
      if (i > 0) sink.byte(COMMA);
      if (text === "") continue;
      if (text !== undefined) sink.text(text);
      else if (slot < 0 && group === "runtime" && name === "run_dir")
        this.#runDir(bytes, starts[fields.id]!, ends[fields.id]!, sink);
      else if (slot < 0) sink.text(csvCell((group === "flags" ? flags : computed)[name]));
      else if (shape.kinds[slot] === "list") sink.text(csvCell(listText(bytes, starts[slot]!, ends[slot]!)));
      else if (needCare[slot]) sink.text(csvCell(bytes.toString("utf8", starts[slot], ends[slot])));
      else if (shape.kinds[slot] === "string" || bytes[starts[slot]!] !== 110)
        sink.bytes(bytes, starts[slot]!, ends[slot]!);
    }
    sink.byte(NEWLINE);
  }

  /** The folder's path is the same for all runs but for the id: quoting is looked at once. */
  #runDir(bytes: Buffer, start: number, end: number, sink: ByteSink): void {
    const folder = `${this.#setting.studyDir}/${STUDY_FILES.runs}/`;
    this.#isPlainDir ??= csvCell(folder) === folder;
    if (this.#isPlainDir) {
      sink.text(folder);
      sink.bytes(bytes, start, end);
    } else sink.text(csvCell(folder + bytes.toString("utf8", start, end)));
  }

  #flagsOf(list: string): Record<string, unknown> {
    let cells = this.#flagCells.get(list);
    if (!cells) {
      cells = flagCells({ flags: JSON.parse(`[${list}]`) as string[], params: {} }, this.#setting.flags);
      this.#flagCells.set(list, cells);
    }
    return cells;
  }

  /** The row of a record whose values are slots tells which cell comes from which value. */
  #learn(line: Uint8Array, record: RunRecord): void {
    const learnt = learnShape(line, record);
    if (!learnt) return;
    const slotted = learnt.slotted as Record<string, unknown> & {
      params: object;
      metrics: object;
      labels?: object;
    };
    // A list is several cells to the eye: what it is in CSV, its quotes tell.
    const isScalar = (value: unknown) => value instanceof Slot && learnt.shape.kinds[value.index] !== "list";
    const groups = [slotted.params, slotted.metrics, slotted.labels ?? {}];
    const isFlat = groups.every((group) => Object.values(group).every(isScalar));
    if (!isFlat || record.task !== null) return;
    const { studyDir, flags, columns } = this.#setting;
    const row: Row = rowOf({ ...slotted, task: null, flags: [] } as unknown as RunRecord, studyDir, flags);
    const cells = columns.list.map(({ group, name }) => {
      const value = row[group][name];
      const isText =
        typeof value === "string" ||
        (value instanceof Slot && ["string", "list"].includes(learnt.shape.kinds[value.index]!));
      if (isText) columns.noteText(group, name);
      if (value instanceof Slot) return { slot: value.index, group, name, text: undefined };
      const isComputed = group === "flags" || (group === "runtime" && COMPUTED.includes(name));
      return { slot: -1, group, name, text: isComputed ? undefined : csvCell(value) };
    });
    const {
      id,
      flags: flagList,
      startedAtMs,
      wallMs,
      outcome,
    } = slotted as unknown as Record<string, Slot> & { outcome: Record<string, Slot> };
    const fields = {
      id: id!.index,
      flags: flagList!.index,
      startedAtMs: startedAtMs!.index,
      wallMs: wallMs!.index,
      status: outcome.status!.index,
    };
    this.#templates.unshift({ shape: learnt.shape, cells, fields });
  }
}

function listText(bytes: Buffer, start: number, end: number): string {
  return notesText(JSON.parse(`[${bytes.toString("utf8", start, end)}]`) as string[]);
}

/** The record in a line, or undefined for a line that a crash or a hand has broken. */
export function recordIn(bytes: Buffer, start: number, end: number): RunRecord | undefined {
  const record = parseRecord(bytes.toString("utf8", start, end));
  return "problem" in record ? undefined : record;
}

/**
 * The shape of a journal line: the bytes that stand between its values. Lines of one study nearly all share a
 * shape, so a line can be read by checking those bytes and noting where the values lie, several times faster
 * than parsing it. Whatever does not fit exactly is left to JSON.parse.
 */
export interface LineShape {
  /** literals[i] stands before value i; the last one ends the line. */
  literals: Uint8Array[];
  kinds: ("string" | "list" | "number" | "other")[];
}

/** A value's place in a shape: what a record holds where the shape has a value. */
class Slot {
  constructor(readonly index: number) {}
}

/** Where the values of a line lie, and which of them CSV can't take as they are. */
class Values {
  readonly starts = new Int32Array(1000);
  readonly ends = new Int32Array(1000);
  readonly needCare = new Uint8Array(1000);
}

/** Learns the shape of a line, and gives the record with each value replaced by its slot. */
function learnShape(line: Uint8Array, record: object): { shape: LineShape; slotted: object } | undefined {
  const texts = [""];
  const kinds: LineShape["kinds"] = [];
  const add = (text: string) => {
    texts[texts.length - 1] += text;
  };
  const slot = (kind: LineShape["kinds"][number]): Slot => {
    texts.push("");
    return new Slot(kinds.push(kind) - 1);
  };
  const visit = (value: unknown): unknown => {
    const isList = Array.isArray(value);
    if (isList || typeof value === "string") {
      add(isList ? "[" : '"');
      const made = slot(isList ? "list" : "string");
      add(isList ? "]" : '"');
      return made;
    }
    if (typeof value === "number" || value === null) return slot("number");
    if (typeof value !== "object") return slot("other");
    add("{");
    const entries = Object.entries(value).map(([key, item], i) => {
      add(`${i === 0 ? "" : ","}${JSON.stringify(key)}:`);
      return [key, visit(item)];
    });
    add("}");
    return Object.fromEntries(entries);
  };
  const slotted = visit(record) as object;
  const encoder = new TextEncoder();
  const shape = { literals: texts.map((text) => encoder.encode(text)), kinds };
  const values = new Values();
  // Only a shape that reads its own line back is trusted with others.
  const isSound =
    kinds.length < values.starts.length && readByShape(shape, line, { start: 0, end: line.length }, values);
  return isSound ? { shape, slotted } : undefined;
}

/** Notes where the values of a line lie; false when the line does not fit the shape. */
function readByShape(
  { literals, kinds }: LineShape,
  bytes: Uint8Array,
  { start, end }: { start: number; end: number },
  values: Values,
): boolean {
  const { starts, ends, needCare } = values;
  let at = start;
  for (let i = 0; i < kinds.length; i++) {
    const literal = literals[i]!;
    for (let k = 0; k < literal.length; k++) if (bytes[at + k] !== literal[k]) return false;
    at += literal.length;
    const kind = kinds[i]!;
    starts[i] = at;
    needCare[i] = 0;
    // A number, or null.
    if (kind === "number" && !isNumberStart(bytes[at]!)) return false;
    const stop = kind === "string" ? QUOTE : kind === "list" ? CLOSE : COMMA;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === stop || (stop === COMMA && byte === BRACE_CLOSE)) break;
      // Escapes and nesting are not for this reader.
      if (byte === BACKSLASH) return false;
      if (stop === QUOTE) {
        if (byte === COMMA) needCare[i] = 1;
      } else if (byte === OPEN || byte === BRACE_OPEN || (stop === COMMA && byte === QUOTE)) return false;
    }
    ends[i] = at;
  }
  const last = literals[kinds.length]!;
  for (let k = 0; k < last.length; k++) if (bytes[at + k] !== last[k]) return false;
  return at + last.length === end;
}

function isNumberStart(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || byte === MINUS || byte === LETTER_N;
}
