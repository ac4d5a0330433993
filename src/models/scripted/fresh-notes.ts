import type { Message } from "../../core/message.ts";
import { type Belief, isPage } from "./belief.ts";
import type { Note } from "./notes.ts";

/** What the last observation taught, as notes for later turns, when it may be out of sight. */
export function freshNotes(messages: readonly Message[], belief: Belief): Note[] {
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
