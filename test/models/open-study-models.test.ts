import { afterEach, expect, test } from "vitest";
import { createModel } from "../../src/models/create-model.ts";
import { GATE_VARIABLE } from "../../src/models/gate/gate-server.ts";
import { findGate } from "../../src/models/gate/index.ts";
import { openStudyModels } from "../../src/models/open-study-models.ts";
import { TempFolder } from "../support/temp-folder.ts";
import { waitFor } from "../support/wait-for.ts";
import { aRequest } from "./a-request.ts";

const NAME = "MOONSHOT_API_KEY";
afterEach(() => {
  delete process.env[NAME];
});

test("a key beside the study is enough for a preset, and is gone from the environment afterwards", async () => {
  using folder = new TempFolder({ ".env": `${NAME}=sk-from-the-file\n` });
  const study = { models: ["kimi-k2", "scripted"], baseDir: folder.path, limitUsd: null };
  const models = await openStudyModels(study);
  expect(process.env[NAME]).toBe("sk-from-the-file");
  expect(process.env[GATE_VARIABLE]).toBeDefined();
  await models.close();
  expect(process.env[NAME]).toBeUndefined();
  expect(process.env[GATE_VARIABLE]).toBeUndefined();
});

test("what is missing is told before anything is opened", async () => {
  using folder = new TempFolder();
  const study = { models: ["scripted", "kimi-k2"], baseDir: folder.path, limitUsd: 1 };
  await expect(openStudyModels(study)).rejects.toThrow(`needs ${NAME}`);
  expect(process.env[GATE_VARIABLE]).toBeUndefined();
});

test("a scripted study without a limit needs no gate", async () => {
  using folder = new TempFolder();
  const models = await openStudyModels({ models: ["scripted"], baseDir: folder.path, limitUsd: null });
  expect(process.env[GATE_VARIABLE]).toBeUndefined();
  await models.close();
});

test("models of a study with a limit find its budget by themselves, and stop at it", async () => {
  using folder = new TempFolder();
  // A call reserves 4096 tokens of output at $2 a million: 0.008 and a little for the prompt.
  const models = await openStudyModels({
    models: ["scripted"],
    baseDir: folder.path,
    limitUsd: 0.01,
    spentUsd: 0.0015,
  });
  const model = await createModel("scripted");
  const first = await model.complete(aRequest());
  const afterFirst = await waitFor("the first bill", () => models.spentUsd() > 0.0015 && models.spentUsd());
  expect(afterFirst).toBeCloseTo(0.0015 + first.costUsd!, 12);
  const calls = Array.from({ length: 20 }, () => model.complete(aRequest()).catch((error: unknown) => error));
  const refused = (await Promise.all(calls)).filter((answer) => answer instanceof Error);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]).toMatchObject({ kind: "budget" });
  expect(models.spentUsd()).toBeLessThanOrEqual(0.01);
  await models.close();
});

test("a later launch has spent what lost calls of an earlier one may have cost", async () => {
  using folder = new TempFolder();
  const study = {
    models: ["scripted"],
    baseDir: folder.path,
    limitUsd: 1,
    lostFile: `${folder.path}/lost-calls.jsonl`,
  };
  const first = await openStudyModels(study);
  const gate = findGate(process.env[GATE_VARIABLE]!);
  const signal = new AbortController().signal;
  for (const costUsd of [null, 0.05, null]) {
    const ticket = await gate.admit({ provider: "p", worstUsd: 0.1, signal });
    ticket.settle({ costUsd, result: costUsd === null ? "failed" : "ok" });
  }
  await waitFor("the bills", () => first.spentUsd() > 0.24);
  await first.close();
  // What was answered is in the runs' records, from where the next launch has it.
  const second = await openStudyModels({ ...study, spentUsd: 0.05 });
  expect(second.spentUsd()).toBeCloseTo(0.25, 12);
  await second.close();
});
