import { createHash } from "node:crypto";
import { canonicalJson } from "../core/hash.ts";
import type { Json } from "./protocols/protocol.ts";

/** Keys of requests that name a session, a device or a moment, and never reach a model. */
const PASSING = new Set([
  "client_metadata",
  "create_time",
  "metadata",
  "prompt_cache_key",
  "safety_identifier",
  "user",
]);

/** Gemini gives calls no ids, so its agents make some up; calls and their results are told by their order. */
const MADE_UP = new Set(["functionCall", "functionResponse"]);

const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*";
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?";

/** What varies by nature within texts; docs/gateway.md lists the same. */
const RULES: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "<id>"],
  [/\b[0-9a-f]{32,}\b/gi, "<id>"],
  [/\bChunk ID: [0-9a-f]+/g, "Chunk ID: <id>"],
  // Of `stat`, which pads both.
  [/\b(Device|Inode): [\da-fh,/]+\s*/g, "$1: <id> "],
  // Of `ls -i`: before a file's modes, as wide as the longest.
  [/^ *\d+ (?=[-bcdlps][-rwxsStT]{9})/gm, "<id> "],
  // Codex says how long an output is, which depends on what else varies in it.
  [/\bOriginal token count: \d+/g, "Original token count: <number>"],
  [/^\[([^\]\s]+(?: \(root-commit\))?) [0-9a-f]{7,12}\]/gm, "[$1 <id>]"],
  [/\/tmp\/tmp[\w.-]+/g, "/tmp/<name>"],
  [/\b(?:127\.0\.0\.1|localhost):\d+/g, "<address>"],
  [/\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, "<date>"],
  [
    new RegExp(
      `(?:${DAY} )?\\b${MONTH} {1,2}\\d{1,2},? (?:\\d\\d:\\d\\d(?::\\d\\d)?(?: [A-Z]{3,4})?(?: \\d{4})?| ?\\d{4})`,
      "g",
    ),
    "<date>",
  ],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, "<time>"],
  [/\b1[5-9]\d{8}(?:\d{3}|\.\d+)?\b/g, "<time>"],
  [/\b\d+m\d+(?:\.\d+)?s\b/g, "<duration>"],
  // Of Node's tests, in TAP and in YAML.
  [/\bduration_ms:? [\d.]+/g, "duration_ms <duration>"],
  [/\b\d+(?:\.\d+)?(?: ?(?:ms|µs|us|ns)| ?s(?:ec(?:ond)?s?)?| minutes?)\b/g, "<duration>"],
];

/** A folder that is another one in each run, and what stands for it. */
export interface Place {
  path: string;
  name: string;
}

/** Shorter texts are cleaned as fast as they are looked up. */
const SHORTEST_KNOWN = 200;

/**
 * A request without what differs between two runs that do the same. `known` keeps what became of long texts: agents send
 * their instructions, their tools and the conversation so far with every call.
 */
export function normaliseRequest(
  request: Json,
  places: readonly Place[],
  known = new Map<string, string>(),
): Json {
  const named = places.flatMap(({ path, name }) => [
    { path, name },
    // Some agents name folders of their own after the one that they work in.
    { path: path.replaceAll(/[^a-zA-Z0-9]/g, "-"), name },
  ]);
  const clean = (text: string) => {
    let placed = text;
    for (const { path, name } of named) placed = placed.replaceAll(path, name);
    const before = known.get(placed);
    if (before !== undefined) return before;
    let result = placed;
    for (const [pattern, replacement] of RULES) result = result.replaceAll(pattern, replacement);
    if (placed.length >= SHORTEST_KNOWN) known.set(placed, result);
    return result;
  };
  const walk = (value: unknown, isCall = false): unknown => {
    if (typeof value === "string") return clean(value);
    if (Array.isArray(value)) return value.map((item) => walk(item));
    if (typeof value !== "object" || value === null) return value;
    const kept = Object.entries(value).filter(([key]) => !PASSING.has(key) && !(isCall && key === "id"));
    return Object.fromEntries(kept.map(([key, item]) => [key, walk(item, MADE_UP.has(key))]));
  };
  return walk(request) as Json;
}

/** Of items that codex makes up itself; a server's ids are no UUIDs. */
const OWN_ID = /^[a-z]+_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What codex writes before the output of a command. */
const OUTPUT_HEAD = /^Chunk ID: [0-9a-f]+\nWall time: [\d.]+ seconds\n/;

/**
 * A request without what no answer should depend on, which differs whenever an agent is started: for a cache, which must
 * never take one question for another. Texts are left as they are.
 */
export function questionIn(request: Json): Json {
  const kept = Object.fromEntries(Object.entries(request).filter(([key]) => !PASSING.has(key)));
  return Array.isArray(kept.input) ? { ...kept, input: kept.input.map(questionInItem) } : kept;
}

function questionInItem(item: unknown): unknown {
  if (!isTree(item) || Array.isArray(item)) return item;
  const { internal_chat_message_metadata_passthrough: _, ...kept } = item as Json;
  if (kept.type !== "item_reference" && OWN_ID.test(String(kept.id))) delete kept.id;
  if (typeof kept.output === "string") kept.output = kept.output.replace(OUTPUT_HEAD, "");
  return kept;
}

/** What two requests that mean the same have in common. */
export function keyOf(path: string, normalised: Json): string {
  return createHash("sha256")
    .update(`${path}\n${canonicalJson(normalised)}`)
    .digest("hex");
}

/** Where two requests differ first, as a diff; undefined where they don't. */
export function firstDifference(recorded: unknown, sent: unknown, at = "request"): string | undefined {
  if (recorded === sent) return undefined;
  if (typeof recorded === "string" && typeof sent === "string") return diffTexts(recorded, sent, at);
  if (isTree(recorded) && isTree(sent) && Array.isArray(recorded) === Array.isArray(sent)) {
    const keys = new Set([...Object.keys(recorded), ...Object.keys(sent)]);
    for (const key of keys) {
      const place = Array.isArray(sent) ? `${at}[${key}]` : `${at}.${key}`;
      const found = firstDifference((recorded as Json)[key], (sent as Json)[key], place);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return diffTexts(shown(recorded), shown(sent), at);
}

function isTree(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  return value === undefined ? "(nothing)" : (JSON.stringify(value, null, 2) ?? "");
}

const MOST_LINES = 12;
const LONGEST_LINE = 200;

function diffTexts(recorded: string, sent: string, at: string): string {
  const [before, after] = [recorded.split("\n"), sent.split("\n")];
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before.at(-1 - end) === after.at(-1 - end)
  )
    end++;
  const lines = (sign: string, all: string[]) =>
    all
      .slice(start, all.length - end)
      .slice(0, MOST_LINES)
      .map((line) => `${sign}${line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)} ...` : line}`);
  return [`@@ ${at}, line ${start + 1} @@`, ...lines("-", before), ...lines("+", after)].join("\n");
}
