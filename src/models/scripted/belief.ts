import type { Message, ToolCall } from "../../core/message.ts";
import { readRules } from "./find-deviation.ts";
import { type Note, readNotes } from "./notes.ts";
import { isDefinition, readTestOutput } from "./read-code.ts";
import { remember } from "./remember.ts";
import { firstGap, joinParts, readPart, type Sheet, sheetText } from "./sheet.ts";

/** What the model can know from its prompt, and nothing else. */
export interface Belief {
  testCommand: string;
  /** Undefined: the tests have not run since the last change. */
  tests: { isPassing: boolean; failing: string[] } | undefined;
  /** Functions that failed when that was last known. */
  roots: string[];
  /** Files of the repository, where a list of them is in sight. */
  files: string[];
  definedIn: Map<string, string>;
  toldIn: Map<string, string[]>;
  searched: Set<string>;
  /** Names that a search in sight found nowhere. */
  emptySearches: Set<string>;
  checked: Map<string, string[]>;
  /** Texts of files as they are in sight; what was masked is not. */
  pages: Map<string, string>;
  /** Those of them that are known in parts only, since tools cut what is long. */
  sheets: Map<string, Sheet>;
  /** Rules that notes kept, by page. */
  rules: Map<string, string[]>;
  /** How often the model remembers to have read a file. */
  reads: Map<string, number>;
  edits: number;
  /** Edits that the tool refused. */
  misses: number;
  looks: number;
  actions: number;
  lastId: number;
}

const MASKED = /^Old environment output:/;
const CHECKPOINT = /^Checkpoint for /;
/** A command that is said to run tests goes before any other. */
const TEST_COMMAND = /\btests?\b[^`\n]*`([^`\n]+)`/i;
const COMMAND = /`((?:npm|node|npx|python3?|pytest|sh|bash|make|awk|\.\/)\s?[^`\n]*)`/;

export function readBelief(messages: readonly Message[]): Belief {
  const belief: Belief = {
    testCommand: "npm test",
    tests: undefined,
    roots: [],
    files: [],
    definedIn: new Map(),
    toldIn: new Map(),
    searched: new Set(),
    emptySearches: new Set(),
    checked: new Map(),
    pages: new Map(),
    sheets: new Map(),
    rules: new Map(),
    reads: new Map(),
    edits: 0,
    misses: 0,
    looks: 1,
    actions: 0,
    lastId: 0,
  };
  const calls = new Map<string, ToolCall>();
  let isCommandKnown = false;
  for (const { role, text, toolCalls = [], toolCallId } of messages) {
    if (role === "assistant" || (role === "user" && CHECKPOINT.test(text)))
      for (const note of readNotes(text)) believe(belief, note);
    if (role === "user" && !isCommandKnown) {
      const found = TEST_COMMAND.exec(text) ?? COMMAND.exec(text);
      if (found) {
        belief.testCommand = found[1]!;
        isCommandKnown = true;
      }
    }
    for (const call of toolCalls) {
      calls.set(call.id, call);
      belief.actions++;
      belief.lastId = Math.max(belief.lastId, Number(/\d+$/.exec(call.id)?.[0] ?? 0));
    }
    const call = calls.get(toolCallId ?? "");
    if (role === "tool" && call) observe(belief, call, MASKED.test(text) ? undefined : text);
  }
  return belief;
}

function believe(belief: Belief, note: Note): void {
  if (note.kind === "failing") {
    belief.tests = { isPassing: false, failing: note.names };
    belief.roots = note.names;
  } else if (note.kind === "passing") belief.tests = { isPassing: true, failing: [] };
  else if (note.kind === "defined") {
    belief.definedIn.set(note.name, note.path);
    belief.searched.add(note.name);
  } else if (note.kind === "told") addTo(belief.toldIn, note.name, note.path);
  else if (note.kind === "checked") belief.checked.set(note.name, note.uses);
  else if (note.kind === "rule") addTo(belief.rules, note.path, note.rule);
  else if (note.kind === "again") {
    belief.checked.clear();
    belief.looks++;
  } else {
    belief.tests = undefined;
    belief.edits++;
  }
}

/** Takes in what a tool answered; undefined where that was masked, so that only the deed is known. */
function observe(belief: Belief, { name, input }: ToolCall, output: string | undefined): void {
  const path = plain(String(input.path ?? ""));
  if (name === "read") {
    belief.reads.set(path, (belief.reads.get(path) ?? 0) + 1);
    if (output !== undefined) observePage(belief, path, output);
  } else if (name === "edit") observeEdit(belief, path, input, output);
  else if (name === "bash") observeCommand(belief, String(input.command ?? ""), output);
}

function observePage(belief: Belief, path: string, output: string): void {
  const part = readPart(output);
  const sheet = part ? joinParts(belief.sheets.get(path), part) : undefined;
  if (sheet && firstGap(sheet)) belief.sheets.set(path, sheet);
  else belief.sheets.delete(path);
  belief.pages.set(path, sheet ? sheetText(sheet) : withoutNumbers(output));
}

function observeEdit(
  belief: Belief,
  path: string,
  input: ToolCall["input"],
  output: string | undefined,
): void {
  if (output !== undefined && /not found|no match|error|does not|occurs/i.test(output)) {
    belief.misses++;
    // What it thought to stand there does not: it has to look again.
    belief.pages.delete(path);
    belief.sheets.delete(path);
    return;
  }
  belief.tests = undefined;
  belief.edits++;
  // Lines of parts may have moved.
  if (belief.sheets.delete(path)) belief.pages.delete(path);
  const page = belief.pages.get(path);
  if (page !== undefined)
    belief.pages.set(
      path,
      page.replace(String(input.old), () => String(input.new)),
    );
}

function observeCommand(belief: Belief, command: string, output: string | undefined): void {
  const search = /^grep -rn[wF]* '?([\w$]+)'?/.exec(command);
  if (search) {
    belief.searched.add(search[1]!);
    if (output !== undefined) observeHits(belief, search[1]!, output);
  } else if (command === belief.testCommand && output !== undefined) {
    const tests = readTestOutput(output) ?? { isPassing: false, failing: [] };
    belief.tests = tests;
    if (tests.failing.length > 0) belief.roots = tests.failing;
  } else if (command.startsWith("find ") && output !== undefined)
    belief.files = output.split("\n").map(plain).filter(Boolean);
}

function observeHits(belief: Belief, name: string, output: string): void {
  const about: string[] = [];
  const mentions: string[] = [];
  for (const hit of output.split("\n")) {
    const found = /^(?:\.\/)?([^:\s]+):\d+:(.*)$/.exec(hit);
    if (!found) continue;
    const [, path, line] = found;
    if (isPage(path!)) (isAbout(line!, name) ? about : mentions).push(path!);
    else if (isCode(path!) && !belief.definedIn.has(name) && isDefinition(line!, name))
      belief.definedIn.set(name, path!);
  }
  // A page that tells of something else may mention it, too.
  for (const path of about.length > 0 ? about : mentions) addTo(belief.toldIn, name, path);
  if (!belief.definedIn.has(name) && !belief.toldIn.has(name)) belief.emptySearches.add(name);
}

/** The first code in a line is what the line is about. */
function isAbout(line: string, name: string): boolean {
  return /`([\w$]+)/.exec(line)?.[1] === name;
}

export function isPage(path: string): boolean {
  return /\.(?:md|txt|rst)$/.test(path);
}

export function isCode(path: string): boolean {
  return !isPage(path) && !TEST.test(path) && /\.\w+$/.test(path);
}

const TEST = /(?:^|\/)tests?(?:\/|[._-])|[._-](?:test|spec)\.|_test\.|(?:^|\/)test_/;

/** Rules that are in sight, on the page itself or in a note; undefined where neither is. */
export function rulesOf(belief: Belief, path: string): readonly string[] | undefined {
  const page = belief.pages.get(path);
  return page === undefined ? belief.rules.get(path) : readRules(page);
}

function addTo(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key) ?? [];
  if (!values.includes(value)) map.set(key, [...values, value]);
}

function plain(path: string): string {
  return path.trim().replace(/^\.\//, "");
}

/** Some readers put numbers before lines. */
const withoutNumbers = remember((text: string): string => {
  const lines = text.replace(/\n$/, "").split("\n");
  const numbered = /^\s*\d+(?:\t|: ?| ?\| ?| {2})/;
  const kept = lines.filter((line) => numbered.test(line));
  // What has none is a heading, or says that lines were left out.
  return kept.length > 0 && kept.length * 2 >= lines.length
    ? kept.map((line) => line.replace(numbered, "")).join("\n")
    : text;
});
