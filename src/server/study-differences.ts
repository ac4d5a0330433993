import type { StudyFile } from "../core/study-folder.ts";
import type { StudiesView } from "../reporters/study-view.ts";

const MOST_LETTERS = 200;

/** What stands in one study file and not, or otherwise, in the other; then program, code and machine. */
export function studyDifferences(a: StudyFile | undefined, b: StudyFile | undefined): StudiesView["changes"] {
  const [before, after] = [factsOf(a), factsOf(b)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .map((what) => ({ what, a: before.get(what) ?? "", b: after.get(what) ?? "" }))
    .filter((change) => change.a !== change.b);
}

function factsOf(file: StudyFile | undefined): Map<string, string> {
  const facts = new Map<string, string>();
  if (!file) return facts;
  const { name: _, outRoot: __, axes, variants, ...rest } = file.study;
  collect("", rest, facts);
  for (const { names, rows } of axes)
    facts.set(`axis ${names.join(", ")}`, textOf(rows.map((row) => (row.length === 1 ? row[0] : row))));
  for (const { name, params, flags } of variants)
    facts.set(`variant ${name}`, textOf({ ...params, ...(flags.length > 0 && { flags }) }));
  facts.set("program", file.program);
  facts.set(
    "commit",
    `${file.git?.commit ?? "none"}${file.git?.dirty === true ? ", with uncommitted changes" : ""}`,
  );
  collect("machine", file.environment, facts);
  return facts;
}

/** Every value by its way, `limits.timeoutMs`; lists are one value. */
function collect(way: string, value: unknown, facts: Map<string, string>): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    facts.set(way, textOf(value));
    return;
  }
  for (const [name, inner] of Object.entries(value))
    collect(way === "" ? name : `${way}.${name}`, inner, facts);
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)} …` : text;
}
