import type { ToolCall } from "../../core/message.ts";
import { type Belief, isCode, rulesOf } from "./belief.ts";
import { type Deviation, findDeviation } from "./find-deviation.ts";
import { type Note, noteText } from "./notes.ts";
import { findBody, isDefinition, namesDefined, namesUsed } from "./read-code.ts";
import { firstGap, isCut } from "./sheet.ts";
import type { Slips } from "./slips.ts";

export interface Action {
  thought: string;
  call: Omit<ToolCall, "id">;
}

type Step = Pick<Action, "call"> & { why: string };

/** A file that was read so often and still does not help is given up. */
const MOST_READS = 6;
/** A long one takes several readings. */
const MOST_PARTS = 40;
const MOST_LOOKS = 2;

/** The next thing to do, from what is in sight; `fresh` are notes on what the last observation taught. */
export function chooseAction(belief: Belief, slips: Slips, fresh: Note[]): Action {
  const notes = [...fresh];
  const step = chooseStep(belief, slips, notes);
  const lines = notes.map(noteText);
  return { thought: [step.why, ...lines].join("\n"), call: step.call };
}

function chooseStep(belief: Belief, slips: Slips, notes: Note[]): Step {
  const { tests, testCommand, files, reads, actions } = belief;
  if (actions === 0 && belief.roots.length === 0)
    return bash("find . -type f -not -path '*/.git/*' | sort", "I look at what there is.");
  const readme = files.find((path) => /^readme\.md$/i.test(path));
  if (readme && !reads.has(readme) && belief.roots.length === 0)
    return read(readme, "I read what the repository is about.");
  if (!tests) {
    const isRash = belief.edits > 0 && slips.happens("submit-unchecked", `${belief.edits}`);
    return isRash ? submit("That must be it.") : bash(testCommand, "I run the tests.");
  }
  if (tests.isPassing) return submit("The tests pass, so this is done.");
  return explore(belief, slips, notes);
}

/** Follows the failing functions, then what they use, until some code is not what its page says. */
function explore(belief: Belief, slips: Slips, notes: Note[]): Step {
  if (belief.roots.length === 0) {
    const unread = belief.files.find((path) => isCode(path) && !belief.reads.has(path));
    if (unread) return read(unread, "The tests name no function, so I read the code.");
  }
  const queue = belief.roots.length > 0 ? [...belief.roots] : namesInSight(belief);
  const seen = new Set(queue);
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const step = belief.checked.has(name) ? undefined : examine(belief, name, { slips, notes });
    if (step) return step;
    const uses = (belief.checked.get(name) ?? []).filter((next) => !seen.has(next));
    for (const next of uses) seen.add(next);
    queue.push(...uses);
  }
  if (belief.looks >= MOST_LOOKS) return submit("I found nothing more to change.");
  notes.push({ kind: "again" });
  belief.checked.clear();
  belief.looks++;
  return explore(belief, slips, notes);
}

/** What is still needed to judge a function; undefined once it is judged and found right (which is then noted). */
function examine(
  belief: Belief,
  name: string,
  { slips, notes }: { slips: Slips; notes: Note[] },
): Step | undefined {
  const path = belief.definedIn.get(name) ?? definedInSight(belief, name);
  const told = belief.toldIn.get(name) ?? [];
  if (!belief.searched.has(name) || (path === undefined && told.length === 0 && !isHopeless(belief, name)))
    return bash(`grep -rnw '${name}' .`, `I look for \`${name}\`.`);
  const pass = (uses: string[]) => {
    belief.checked.set(name, uses);
    notes.push({ kind: "checked", name, uses });
    return undefined;
  };
  if (path === undefined) return pass([]);
  const code = belief.pages.get(path);
  const unseen = told.find((page) => rulesOf(belief, page) === undefined);
  if (code === undefined) {
    if ((belief.reads.get(path) ?? 0) >= MOST_READS) return pass([]);
    keepRules(belief, told, notes);
    return read(path, `I read where \`${name}\` is defined.`);
  }
  if (unseen !== undefined && (belief.reads.get(unseen) ?? 0) < MOST_READS)
    return read(unseen, `I read what \`${name}\` should do.`);
  const found = findBody(code, name);
  const isWhole = found !== undefined && !isCut(code.slice(found.start, found.end + 2));
  const rest = (isWhole ? told : [path, ...told]).map((page) => readOn(belief, page)).find(Boolean);
  if (rest) return rest;
  const body = found ?? { start: 0, end: code.length };
  const rules = told.flatMap((page) => rulesOf(belief, page) ?? []);
  const deviation = findDeviation(code.slice(body.start, body.end), rules);
  const look = `${name} ${deviation?.rule} ${belief.looks}`;
  if (!deviation || slips.happens("oversee", look))
    return pass(namesUsed(code.slice(body.start, body.end), name));
  const place = {
    ...deviation,
    start: deviation.start + body.start,
    end: deviation.end + body.start,
  };
  const input = writeEdit(code, place, { slips, tries: belief.edits + belief.misses });
  return {
    why: `\`${name}\` is not what its page says: it should be \`${deviation.rule.trim()}\`.`,
    call: { name: "edit", input: { path, ...input } },
  };
}

/** Rules that were read twice and went out of sight are written down. */
function keepRules(belief: Belief, told: readonly string[], notes: Note[]): void {
  for (const path of told) {
    if ((belief.reads.get(path) ?? 0) < 2 || belief.rules.has(path)) continue;
    for (const rule of rulesOf(belief, path) ?? []) notes.push({ kind: "rule", rule, path });
  }
}

function definedInSight({ pages }: Belief, name: string): string | undefined {
  for (const [path, text] of pages)
    if (isCode(path) && text.split("\n").some((line) => isDefinition(line, name))) return path;
  return undefined;
}

function namesInSight({ pages }: Belief): string[] {
  const code = [...pages].filter(([path]) => isCode(path)).map(([, text]) => text);
  return code.flatMap((text) => namesDefined(text));
}

/** It was looked for, and the answer, though in sight or noted, holds neither code nor page. */
function isHopeless(belief: Belief, name: string): boolean {
  return belief.searched.has(name) && belief.emptySearches.has(name);
}

function bash(command: string, why: string): Step {
  return { why, call: { name: "bash", input: { command } } };
}

/** The next part of a file that is longer than what a tool shows at once. */
function readOn({ sheets, reads }: Belief, path: string): Step | undefined {
  const sheet = sheets.get(path);
  const gap = sheet && firstGap(sheet);
  if (!gap || (reads.get(path) ?? 0) >= MOST_PARTS) return undefined;
  const why = `${path} is longer than that, so I read on.`;
  return { why, call: { name: "read", input: { path, ...gap } } };
}

function read(path: string, why: string): Step {
  return { why, call: { name: "read", input: { path } } };
}

function submit(why: string): Step {
  return { why, call: { name: "submit", input: {} } };
}

interface Chance {
  slips: Slips;
  /** Edits before this one: each is a new chance to err. */
  tries: number;
}

/** Whole lines with the place in them replaced by the rule, long enough to stand in the file once. */
function writeEdit(code: string, place: Deviation, { slips, tries }: Chance): { old: string; new: string } {
  const end = lineEnd(code, place.end);
  let start = lineStart(code, place.start);
  while (start > 0 && occursTwice(code, code.slice(start, end))) start = lineStart(code, start - 1);
  const old = code.slice(start, end);
  const key = `${place.rule} ${tries}`;
  const rule = slips.happens("wrong-fix", key) ? blunder(place.rule) : place.rule;
  const fixed = code.slice(start, place.start) + rule + code.slice(place.end, end);
  return { old: slips.happens("misquote", key) ? old.replace(/\S/, "") : old, new: fixed };
}

/** A fix that looks like one. */
function blunder(rule: string): string {
  if (/\d/.test(rule)) return rule.replace(/\d+/, (digits) => String(Number(digits) + 1));
  if (/[<>]=/.test(rule)) return rule.replace(/([<>])=/, "$1");
  return rule.replace(/[-+*<>]/, (sign) => ({ "-": "+", "+": "-", "*": "+", "<": ">", ">": "<" })[sign]!);
}

function lineStart(code: string, at: number): number {
  return code.lastIndexOf("\n", Math.max(0, at - 1)) + 1;
}

function lineEnd(code: string, at: number): number {
  const end = code.indexOf("\n", at);
  return end < 0 ? code.length : end;
}

function occursTwice(text: string, part: string): boolean {
  return text.indexOf(part) !== text.lastIndexOf(part);
}
