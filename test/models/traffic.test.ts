import { expect, test } from "vitest";
import { createModel } from "../../src/models/create-model.ts";
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

test("a broken line is told with its number", async () => {
  using folder = new TempFolder({ "calls.jsonl": '{"key": "a"}\n' });
  const model = createModel("replay:calls.jsonl", { env: {}, baseDir: folder.path });
  await expect(model).rejects.toThrow(/calls\.jsonl:1: this line is no recorded call/);
});
