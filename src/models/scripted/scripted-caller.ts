import type { Message } from "../../core/message.ts";
import type { Caller } from "../caller.ts";
import type { ModelRequest } from "../model.ts";
import { type CountText, countMessage, countPrompt } from "../tokens.ts";
import { type Belief, isPage, readBelief } from "./belief.ts";
import { chooseAction } from "./choose-action.ts";
import { type Note, noteText, readNotes } from "./notes.ts";
import { readTestOutput } from "./read-code.ts";
import { Slips } from "./slips.ts";

/** Which part of a summary a note belongs to. */
const SECTION: Record<Note["kind"], string> = {
  checked: "Completed",
  again: "Completed",
  defined: "Code state",
  told: "Dependencies",
  rule: "Code state",
  edited: "Changes",
  failing: "Tests",
  passing: "Tests",
};
const SECTIONS = ["Completed", "Tests", "Code state", "Dependencies", "Changes", "Current state"];

/** Plays a coding agent from what is in the prompt and the seed alone; no key, no network, no state but its cache. */
export function createScriptedCaller(count: CountText): Caller {
  const cache = new PrefixCache(count);
  return async (request) => {
    request.signal.throwIfAborted();
    const { messages, tools, seed } = request;
    const promptTokens = countPrompt(count, messages, tools);
    const cached = cache.take(request);
    const message = answer(request, new Slips(seed, promptTokens));
    return {
      message,
      usage: { input: promptTokens - cached, cached, output: countMessage(count, message), reasoning: 0 },
      finish: message.toolCalls ? "tools" : "stop",
    };
  };
}

function answer({ messages, tools, purpose }: ModelRequest, slips: Slips): Message {
  const base = { role: "assistant" as const, kind: "action" as const, turn: 0 };
  if (isReview(messages)) return { ...base, text: review(messages, slips) };
  if (purpose === "summary" || tools.length === 0) return { ...base, text: summarise(messages, slips) };
  const belief = readBelief(messages);
  const { thought, call } = chooseAction(belief, slips, freshNotes(messages, belief));
  return { ...base, text: thought, toolCalls: [{ id: `call_${belief.lastId + 1}`, ...call }] };
}

/** What the last observation taught, as notes for later turns, when it may be out of sight. */
function freshNotes(messages: readonly Message[], belief: Belief): Note[] {
  const last = messages.at(-1);
  if (last?.role !== "tool") return [];
  const call = messages.flatMap(({ toolCalls = [] }) => toolCalls).find(({ id }) => id === last.toolCallId);
  const command = String(call?.input.command ?? "");
  if (call?.name === "edit" && belief.tests === undefined)
    return [{ kind: "edited", path: String(call.input.path) }];
  if (call?.name !== "bash") return [];
  if (command === belief.testCommand && belief.tests)
    return [belief.tests.isPassing ? { kind: "passing" } : { kind: "failing", names: belief.roots }];
  const name = /^grep -rn\w* '([\w$]+)'/.exec(command)?.[1];
  if (name === undefined) return [];
  const path = belief.definedIn.get(name);
  const told = (belief.toldIn.get(name) ?? []).filter(isPage);
  return [
    ...(path === undefined ? [] : [{ kind: "defined" as const, name, path }]),
    ...told.map((page) => ({ kind: "told" as const, name, path: page })),
  ];
}

const MOST_CONVERSATIONS = 200;

/**
 * What a provider's prompt cache would hold: the messages that a prompt has in common with the one before it in the same
 * conversation. A strategy that changes old messages pays for what follows them again, as it would there.
 */
class PrefixCache {
  readonly #count: CountText;
  readonly #previous = new Map<string, readonly Message[]>();

  constructor(count: CountText) {
    this.#count = count;
  }

  /** How many of the prompt's tokens are cached; remembers the prompt for the next call. */
  take({ messages, tools, seed, purpose }: ModelRequest): number {
    const first = messages.find(({ role }) => role === "user")?.text ?? "";
    const key = `${purpose} ${seed} ${first}`;
    const previous = this.#previous.get(key);
    if (!previous && this.#previous.size >= MOST_CONVERSATIONS) this.#previous.clear();
    // A copy: callers add to their list.
    this.#previous.set(key, [...messages]);
    let same = 0;
    while (
      previous &&
      same < Math.min(messages.length, previous.length) &&
      isSame(messages[same]!, previous[same]!)
    )
      same++;
    return same === 0 ? 0 : countPrompt(this.#count, messages.slice(0, same), tools);
  }
}

function isSame(a: Message, b: Message): boolean {
  return a === b || (a.role === b.role && a.text === b.text && a.toolCallId === b.toolCallId);
}

/** Whether a prompt asks for a score: its first message says how to give one. */
function isReview([first]: readonly Message[]): boolean {
  return first?.role === "system" && first.text.includes('a line "Score: N"');
}

/** Judges an attempt by how its tests ended after the last change, as far as the prompt shows it; errs at times. */
function review(messages: readonly Message[], slips: Slips): string {
  const text = messages.at(-1)?.text ?? "";
  const patch = text.slice(text.lastIndexOf("\nThe patch:\n"));
  const { score, why } = judge(text, patch);
  // The same patch under the same seed is judged alike, whatever led to it.
  const isWrong = slips.happens("misjudge", patch);
  return `${why}\nScore: ${isWrong ? 10 - score : score}`;
}

function judge(text: string, patch: string): { score: number; why: string } {
  if (!/^ {2}\S/m.test(patch)) return { score: 0, why: "Nothing was handed in." };
  const afterEdit = text.slice(
    Math.max(0, text.lastIndexOf("\n  edit {")),
    text.lastIndexOf("\nThe patch:\n"),
  );
  const tests = observations(afterEdit)
    .map(readTestOutput)
    .findLast((outcome) => outcome !== undefined);
  if (!tests) return { score: 6, why: "The tests were not run after the last change." };
  return tests.isPassing
    ? { score: 10, why: "The tests pass after the last change." }
    : { score: 2, why: "The tests still fail." };
}

/** What tools printed: indented below a heading that stands at the beginning of its line. */
function observations(turns: string): string[] {
  return [...turns.matchAll(/^Observation:\n((?: {2}.*\n?|\n(?= {2}))*)/gm)].map(([, output]) => output!);
}

/**
 * Answers a request for a summary: the notes in the turns, by sections, some of them forgotten. Tests that ran after the
 * last change are the current state; earlier ones are told before it.
 */
function summarise(messages: readonly Message[], slips: Slips): string {
  const told = messages
    .filter(({ role }) => role !== "tool" && role !== "system")
    .map(({ text }) => withoutOutput(text));
  const notes = lastOfEach(told.flatMap(readNotes)).filter(
    (note) => !slips.happens("forget", noteText(note)),
  );
  const lastEdit = notes.findLastIndex(({ kind }) => kind === "edited");
  const sections = new Map<string, string[]>(SECTIONS.map((title) => [title, []]));
  for (const [i, note] of notes.entries()) {
    const isCurrent = SECTION[note.kind] === "Tests" && lastEdit >= 0 && i > lastEdit;
    sections.get(isCurrent ? "Current state" : SECTION[note.kind])!.push(`- ${noteText(note)}`);
  }
  const isDone = notes.some(({ kind }) => kind === "passing");
  const parts = SECTIONS.map((title) => part(title, sections.get(title)!));
  return [
    part("User context", ["- Make the failing tests pass, as the task says."]),
    ...parts,
    part("Pending", [isDone ? "- Submit." : "- Find code that is not what its page says, and change it."]),
    part("Version control", ["- Nothing was committed."]),
  ].join("\n");
}

function part(title: string, lines: readonly string[]): string {
  return [`${title}:`, ...(lines.length > 0 ? lines : ["- nothing"])].join("\n");
}

/** Of notes that say the same or replace each other, the last. */
function lastOfEach(notes: readonly Note[]): Note[] {
  const isTests = ({ kind }: Note) => kind === "failing" || kind === "passing";
  const lastTests = notes.findLastIndex(isTests);
  const lastAgain = notes.findLastIndex(({ kind }) => kind === "again");
  const byText = new Map<string, Note>();
  for (const [i, note] of notes.entries()) {
    if (isTests(note) && i !== lastTests) continue;
    // A second look makes nothing of what the first found right.
    if (i < lastAgain && (note.kind === "checked" || note.kind === "again")) continue;
    const text = noteText(note);
    byText.delete(text);
    byText.set(text, note);
  }
  return [...byText.values()];
}

/** What tools printed is no note, whatever it looks like: from each `Observation:` to the next turn. */
function withoutOutput(text: string): string {
  return text.replaceAll(/^Observation:[\s\S]*?(?=^Turn \d+\n|(?![\s\S]))/gm, "");
}
