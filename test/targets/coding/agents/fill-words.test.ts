import { describe, expect, test } from "vitest";
import { checkWords, fillWords } from "../../../../src/targets/coding/agents/fill-words.ts";

const words = {
  prompt: "Mend $& it",
  prompt_file: "/w/prompt.md",
  repo: "/w/repo",
  model: "m-1",
  out_dir: "/w/agent",
  seed: "3",
  task_id: "lamp",
  gateway: "",
};

describe("the words of a program agent", () => {
  test("are filled in as they are, also inside of words", () => {
    expect(fillWords(["agent", "--task=${task_id}/${seed}", "${prompt}"], words)).toEqual([
      "agent",
      "--task=lamp/3",
      "Mend $& it",
    ]);
  });

  test("in a list of their own are left out together where one is empty", () => {
    const template = ["agent", ["--model", "${model}"], "${prompt_file}"];
    expect(fillWords(template, words)).toEqual(["agent", "--model", "m-1", "/w/prompt.md"]);
    expect(fillWords(template, { ...words, model: "" })).toEqual(["agent", "/w/prompt.md"]);
  });

  test("that nothing can fill are told", () => {
    expect(checkWords(["agent", ["--x", "${modle}"]])).toContain("${modle}");
    expect(checkWords(["agent", "${prompt}"])).toBeUndefined();
  });
});
