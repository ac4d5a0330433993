import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../../../../src/core/message.ts";
import type { Params } from "../../../../src/core/params.ts";
import { strategies } from "../../../../src/targets/agent/strategies/index.ts";
import { insertCheckpoint, makeCheckpoint } from "../../../../src/targets/agent/summary.ts";
import { aConversation } from "./a-conversation.ts";

const view = (name: string, messages: readonly Message[], options: Params = {}) => {
  const strategy = strategies[name]!;
  return strategy.view(messages, strategy.options(options));
};

/** As the caller does it: the strategy is asked again until it wants no further summary. */
function settled(name: string, given: readonly Message[], options: Params = {}): Message[] {
  let messages = [...given];
  for (;;) {
    const { summarise } = view(name, messages, options);
    if (!summarise) return messages;
    const checkpoint = makeCheckpoint(
      summarise,
      `what happened in ${summarise.fromTurn}-${summarise.toTurn}`,
      false,
    );
    messages = insertCheckpoint(messages, checkpoint);
  }
}

const turnCount = fc.integer({ min: 0, max: 60 });
const anyMessages = fc
  .tuple(turnCount, fc.array(fc.integer({ min: 0, max: 130 }), { maxLength: 3 }))
  .map(([turns, demos]) => {
    const messages = aConversation(turns);
    for (const at of demos)
      messages.splice(1, 0, { role: "user", text: `demo ${at}`, kind: "demo", turn: 0 });
    return messages;
  });
const options = fc
  .record({
    obs_n: fc.integer({ min: 1, max: 20 }),
    sum_n: fc.integer({ min: 1, max: 25 }),
    static_checkpoint: fc.boolean(),
  })
  .chain((some) =>
    fc.integer({ min: 0, max: some.sum_n - 1 }).map((sum_keep_m) => ({ ...some, sum_keep_m })),
  );
const names = fc.constantFrom(...Object.keys(strategies));
const isObservation = ({ kind }: Message) => kind === "task" || kind === "observation";

describe("every strategy", () => {
  test("changes nothing when it is applied to what it gave", () => {
    fc.assert(
      fc.property(names, anyMessages, options, (name, given, chosen) => {
        const once = view(name, settled(name, given, chosen), chosen).messages;
        expect(view(name, once, chosen).messages).toEqual(once);
      }),
    );
  });

  test("keeps the order, the system's word, the task and demonstrations", () => {
    fc.assert(
      fc.property(names, anyMessages, options, (name, given, chosen) => {
        const shown = view(name, settled(name, given, chosen), chosen).messages;
        const turns = shown.map(({ turn }) => turn);
        expect(turns).toEqual([...turns].sort((a, b) => a - b));
        const fixed = (messages: readonly Message[]) =>
          messages.filter(({ kind }) => /system|task|demo/.test(kind));
        expect(fixed(shown)).toEqual(fixed(given));
      }),
    );
  });

  test("shows each action or has it within a checkpoint, and leaves what it was given as it is", () => {
    fc.assert(
      fc.property(names, anyMessages, options, (name, given, chosen) => {
        const before = structuredClone(given);
        const shown = view(name, settled(name, given, chosen), chosen).messages;
        expect(given).toEqual(before);
        const covered = Math.max(
          0,
          ...shown.filter(({ kind }) => kind === "checkpoint").map(({ turn }) => turn),
        );
        const actions = (messages: readonly Message[]) => messages.filter(({ kind }) => kind === "action");
        expect(actions(shown)).toEqual(actions(given).filter(({ turn }) => turn > covered));
      }),
    );
  });
});

describe("observation masking", () => {
  test("keeps the first observation and the last n, and says of every other one how long it was", () => {
    fc.assert(
      fc.property(anyMessages, fc.integer({ min: 1, max: 20 }), (given, obs_n) => {
        const { messages, masked } = view("observation_masking", given, { obs_n });
        expect(messages).toHaveLength(given.length);
        const shown = messages.filter(isObservation);
        const full = given.filter(isObservation);
        const old = Math.max(0, full.length - 1 - obs_n);
        expect(masked).toBe(old);
        expect(shown[0]).toEqual(full[0]);
        expect(shown.slice(1 + old)).toEqual(full.slice(1 + old));
        for (const [i, message] of shown.slice(1, 1 + old).entries())
          expect(message.text).toBe(
            `Old environment output: (${full[i + 1]!.text.split("\n").length} lines omitted)`,
          );
      }),
    );
  });

  test("of three observations with n = 1 replaces the two older ones, not the task", () => {
    const { messages } = view("observation_masking", aConversation(3), { obs_n: 1 });
    expect(messages.map(({ text }) => text)).toEqual([
      "You mend code.",
      "The task.\nTwo lines.",
      "thought 1",
      "Old environment output: (1 lines omitted)",
      "thought 2",
      "Old environment output: (2 lines omitted)",
      "thought 3",
      "line 1 of 3\nline 2 of 3\nline 3 of 3",
    ]);
  });
});

describe("summaries", () => {
  test("are asked for once n + m turns are there, of the oldest n", () => {
    expect(view("llm_summary", aConversation(30)).summarise).toBeUndefined();
    const { summarise } = view("llm_summary", aConversation(31));
    expect(summarise).toMatchObject({ fromTurn: 1, toTurn: 21, previous: undefined });
    expect(summarise!.messages).toHaveLength(42);
  });

  test("replace the turns that they stand for, and the next one covers the next turns", () => {
    const first = settled("llm_summary", aConversation(31));
    const shown = view("llm_summary", first).messages;
    expect(shown.slice(0, 4).map(({ text }) => text)).toEqual([
      "You mend code.",
      "The task.\nTwo lines.",
      "Checkpoint for the last 21 turns:\nwhat happened in 1-21",
      "thought 22",
    ]);
    const later = [
      ...first,
      ...aConversation(52)
        .slice(2)
        .filter(({ turn }) => turn > 31),
    ];
    expect(view("llm_summary", later).summarise).toMatchObject({
      fromTurn: 22,
      toTurn: 42,
      previous: { text: "Checkpoint for the last 21 turns:\nwhat happened in 1-21" },
    });
  });

  test("a static checkpoint replaces the ones before it; otherwise all of them stay", () => {
    const count = (static_checkpoint: boolean) => {
      const chosen = { sum_n: 5, sum_keep_m: 2, static_checkpoint };
      const shown = view("llm_summary", settled("llm_summary", aConversation(20), chosen), chosen).messages;
      return shown.filter(({ kind }) => kind === "checkpoint").map(({ turn }) => turn);
    };
    expect(count(true)).toEqual([15]);
    expect(count(false)).toEqual([5, 10, 15]);
  });

  test("list the actions of their turns where that is asked for", () => {
    const { summarise } = view("llm_summary", aConversation(3), { sum_n: 2, sum_keep_m: 1 });
    expect(makeCheckpoint(summarise!, "done", true).text).toBe(
      'Checkpoint for the last 2 turns:\ndone\n\nActions of these turns:\n1. bash {"command":"echo 1"}\n2. bash {"command":"echo 2"}',
    );
  });

  test("need more turns at a time than are kept beside them", () => {
    for (const name of ["llm_summary", "hybrid"]) {
      expect(() => strategies[name]!.options({ sum_n: 10, sum_keep_m: 15 })).toThrow(
        "sum_keep_m must be less than sum_n",
      );
      expect(() => strategies[name]!.options({ sum_n: 10, sum_keep_m: 10 })).toThrow("sum_keep_m: 10");
      expect(() => strategies[name]!.options({ sum_n: 10, sum_keep_m: 9 })).not.toThrow();
    }
  });
});

describe("hybrid", () => {
  test("masks over what the checkpoints leave", () => {
    const chosen = { sum_n: 4, sum_keep_m: 3, obs_n: 2 };
    const shown = view("hybrid", settled("hybrid", aConversation(7), chosen), chosen);
    expect(shown.masked).toBe(1);
    expect(
      shown.messages.filter(({ kind }) => kind !== "action").map(({ text }) => text.split("\n")[0]),
    ).toEqual([
      "You mend code.",
      "The task.",
      "Checkpoint for the last 4 turns:",
      "Old environment output: (5 lines omitted)",
      "line 1 of 6",
      "line 1 of 7",
    ]);
  });
});
