import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { outputSchemas } from "../../src/api/output-schemas.ts";
import { studyStatus } from "../../src/api/study-status.ts";
import { createProgram } from "../../src/cli/program.ts";
import { parseRecord } from "../../src/core/read-journal.ts";

const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url));
const releases = readdirSync(fixtures).filter((name) => /^folder-\d/.test(name));
const schemas = outputSchemas();
/** Read by another library than the one that wrote them. */
const reader = (name: string) => z.fromJSONSchema(schemas[name] as never);

const commandsWithJson = (command: Command, path: string[] = []): string[] => [
  ...(command.options.some(({ long }) => long === "--json") ? [path.join("-")] : []),
  ...command.commands.flatMap((one) => commandsWithJson(one as Command, [...path, one.name()])),
];

describe("the published schemas", () => {
  test("are those of all commands with --json, and of no other", () => {
    const names = commandsWithJson(createProgram()).map((name) => `${name}.json`);
    const files = ["study.json", "journal.jsonl", "error.json"];
    expect(Object.keys(schemas).sort()).toEqual([...names, ...files].sort());
  });

  test.each(releases)("describe what the release of %s wrote", (name) => {
    const study = JSON.parse(readFileSync(`${fixtures}${name}/study.json`, "utf8"));
    expect(reader("study.json").safeParse(study).error?.message).toBeUndefined();
    const lines = readFileSync(`${fixtures}${name}/journal.jsonl`, "utf8").trim().split("\n");
    for (const line of lines)
      expect(reader("journal.jsonl").safeParse(JSON.parse(line)).error?.message).toBeUndefined();
  });

  test("refuse what the reader of journals refuses", () => {
    const line = readFileSync(`${fixtures}folder-0.1/journal.jsonl`, "utf8").split("\n")[0]!;
    const record = JSON.parse(line) as Record<string, unknown>;
    const wrong = [
      { ...record, seed: "1" },
      { ...record, outcome: { status: "great" } },
      { ...record, metrics: { a: "b" } },
      { ...record, id: undefined },
    ];
    for (const one of wrong) {
      const text = JSON.stringify(one);
      expect(parseRecord(text)).toHaveProperty("problem");
      expect(reader("journal.jsonl").safeParse(JSON.parse(text)).success).toBe(false);
    }
  });

  test("of a study's status fit what is printed", async () => {
    const status = JSON.parse(JSON.stringify(await studyStatus(`${fixtures}folder-0.1`)));
    expect(reader("status.json").safeParse(status).error?.message).toBeUndefined();
  });
});
