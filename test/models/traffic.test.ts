import { expect, test } from "vitest";
import { createRedactor } from "../../src/core/redact.ts";
import { createModel } from "../../src/models/create-model.ts";
import { recordModel } from "../../src/models/traffic/record-model.ts";
import { TempFolder } from "../support/temp-folder.ts";
import { aRequest } from "./a-request.ts";
import { play } from "./scripted/tiny-shop.ts";

const KEY = "sk-very-secret-0123456789";

async function record(folder: TempFolder) {
  const options = { env: {}, baseDir: folder.path, record: "calls.jsonl" };
  return play(await createModel("scripted", options), { seed: 5 });
}

test("a replay gives the recorded answers, tokens and costs, message for message", async () => {
  using folder = new TempFolder();
  const first = await record(folder);
  const replay = await createModel("replay:calls.jsonl", { env: {}, baseDir: folder.path });
  expect(replay.name).toBe("scripted");
  const second = await play(replay, { seed: 5 });
  expect(second.messages).toEqual(first.messages);
  expect(second.answers.map(({ usage, costUsd }) => ({ usage, costUsd }))).toEqual(
    first.answers.map(({ usage, costUsd }) => ({ usage, costUsd })),
  );
});

test("a request that was not recorded is one clear error", async () => {
  using folder = new TempFolder();
  await record(folder);
  const replay = await createModel("replay:calls.jsonl", { env: {}, baseDir: folder.path });
  await replay.complete(aRequest({ seed: 5 }));
  const message = /calls\.jsonl has no answer to this request \(agent, seed 6, 1 messages, [0-9a-f]{32}\)/;
  await expect(replay.complete(aRequest({ seed: 6 }))).rejects.toThrow(message);
  const [task] = aRequest().messages;
  const changed = [{ ...task!, text: `${task!.text} ` }];
  await expect(replay.complete(aRequest({ seed: 5, messages: changed }))).rejects.toThrow("has no answer");
});

test("turn numbers and kinds are not a part of a request: providers never see them", async () => {
  using folder = new TempFolder();
  await record(folder);
  const replay = await createModel("replay:calls.jsonl", { env: {}, baseDir: folder.path });
  const messages = aRequest().messages.map((message) => ({ ...message, kind: "notice" as const, turn: 9 }));
  await replay.complete(aRequest({ seed: 5, messages }));
});

test("a key that a tool printed is not in the recording, and the replay still finds its place", async () => {
  using folder = new TempFolder();
  const env = { OPENAI_API_KEY: KEY };
  const messages = [{ role: "user" as const, text: `my key is ${KEY}`, kind: "task" as const, turn: 0 }];
  const model = await createModel("scripted", { env, baseDir: folder.path, record: "calls.jsonl" });
  await model.complete(aRequest({ messages }));
  expect(folder.read("calls.jsonl")).not.toContain(KEY);
  expect(folder.read("calls.jsonl")).toContain("[secret OPENAI_API_KEY]");
  const replay = await createModel("replay:calls.jsonl", { env, baseDir: folder.path });
  await replay.complete(aRequest({ messages }));
  // Who has no key sees what stands for it.
  const hidden = messages.map((message) => ({ ...message, text: "my key is [secret OPENAI_API_KEY]" }));
  const elsewhere = await createModel("replay:calls.jsonl", { env: {}, baseDir: folder.path });
  await elsewhere.complete(aRequest({ messages: hidden }));
});

test("the same request twice gets its answers in order, then the last again", async () => {
  using folder = new TempFolder();
  const line = (text: string) => {
    const message = { role: "assistant", text, kind: "action", turn: 0 };
    return { answer: { message, usage: {}, costUsd: null, finish: "stop" } };
  };
  const model = await createModel("scripted", { env: {}, baseDir: folder.path, record: "one.jsonl" });
  await model.complete(aRequest());
  const recorded = JSON.parse(folder.read("one.jsonl")) as object;
  const lines = ["a", "b"].map((text) => JSON.stringify({ ...recorded, ...line(text) }));
  folder.write("two.jsonl", `${lines.join("\n")}\n`);
  const replay = await createModel("replay:two.jsonl", { env: {}, baseDir: folder.path });
  const texts = [];
  for (let i = 0; i < 3; i++) texts.push((await replay.complete(aRequest())).message.text);
  expect(texts).toEqual(["a", "b", "b"]);
});

/** Records what a model says to one and the same request. */
async function recordAs(
  folder: TempFolder,
  { run, attempt = "1" }: { run: string; attempt?: string },
  text: string,
) {
  const message = { role: "assistant" as const, text, kind: "action" as const, turn: 0 };
  const usage = { input: 1, cached: 0, output: 1, reasoning: 0 };
  const answer = { message, usage, costUsd: 0, finish: "stop" as const, tries: 1, wallMs: 0 };
  const model = { name: "m", contextTokens: null, countTokens: () => 1, complete: async () => answer };
  const recorder = recordModel(model, {
    path: `${folder.path}/calls.jsonl`,
    redactor: createRedactor({}),
    asker: { run, attempt },
  });
  await recorder.complete(aRequest());
}

async function replayAs(folder: TempFolder, run: string) {
  const asker = { run, attempt: "now" };
  const replay = await createModel("replay:calls.jsonl", { env: {}, baseDir: folder.path, asker });
  return replay.complete(aRequest());
}

test("runs that asked the same get each its own answer, in whatever order they come", async () => {
  using folder = new TempFolder();
  await recordAs(folder, { run: "raw" }, "first");
  await recordAs(folder, { run: "masked" }, "second");
  expect((await replayAs(folder, "masked")).message.text).toBe("second");
  expect((await replayAs(folder, "raw")).message.text).toBe("first");
});

test("of several tries at a run the last is replayed", async () => {
  using folder = new TempFolder();
  await recordAs(folder, { run: "raw", attempt: "1" }, "cut off");
  await recordAs(folder, { run: "masked" }, "another run's");
  await recordAs(folder, { run: "raw", attempt: "2" }, "whole");
  expect((await replayAs(folder, "raw")).message.text).toBe("whole");
});

test("a run that was not recorded gets no answer of another, and that is nobody's who is measured", async () => {
  using folder = new TempFolder();
  await recordAs(folder, { run: "raw" }, "first");
  const error = await replayAs(folder, "hybrid").catch((error: unknown) => error);
  expect(error).toMatchObject({ kind: "recording", message: expect.stringContaining("other runs made it") });
});

test("a broken line is told with its number", async () => {
  using folder = new TempFolder({ "calls.jsonl": '{"key": "a"}\n' });
  const model = createModel("replay:calls.jsonl", { env: {}, baseDir: folder.path });
  await expect(model).rejects.toThrow(/calls\.jsonl:1: this line is not a recorded call/);
});
