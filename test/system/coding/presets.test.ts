import "../../support/in-memory.ts";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { directory } from "../../../src/sandboxes/directory.ts";
import { agentPresets } from "../../../src/targets/coding/agents/index.ts";
import { rolloutSchema } from "../../../src/targets/coding/params.ts";
import { anAgentJob } from "../../support/an-agent-job.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const realPath = process.env.PATH;
afterEach(() => {
  process.env.PATH = realPath;
  delete process.env.OPENAI_API_KEY;
  delete process.env.GEMINI_API_KEY;
});

/** Lets a preset work with a stand-in for its program that prints what that would print. */
async function workWith(name: string, printed: string, model = "m-1") {
  using folder = new TempFolder({ printed });
  const program = `#!/bin/sh\nprintf '%s\\n' "$@" > args.txt\nenv > env.txt\ncat ${folder.path}/printed\n`;
  chmodSync(folder.write(`bin/${name}`, program), 0o755);
  process.env.PATH = `${folder.path}/bin:${realPath}`;
  const params = rolloutSchema.parse({ agent: name, model });
  const job = anAgentJob(folder, { params, sandbox: directory });
  const work = await agentPresets[name]!.create().work(job);
  const home = (path: string): unknown => JSON.parse(readFileSync(`${job.places.homeDir}/${path}`, "utf8"));
  const files = new Map(
    readdirSync(job.places.homeDir, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".json"))
      .map((path) => [path, home(path)]),
  );
  return {
    ...{ work, args: folder.read("repo/args.txt").split("\n"), env: folder.read("repo/env.txt") },
    home: (path: string) => files.get(path),
  };
}

const json = (...events: unknown[]) => events.map((event) => JSON.stringify(event)).join("\n");

describe("a preset for", () => {
  test("codex sums the tokens of its turns and counts its tools once each", async () => {
    process.env.OPENAI_API_KEY = "sk-0123456789";
    const { work, args, env } = await workWith(
      "codex",
      json(
        { type: "thread.started" },
        { type: "item.started", item: { type: "command_execution" } },
        { type: "item.completed", item: { type: "command_execution" } },
        { type: "item.completed", item: { type: "agent_message" } },
        { type: "turn.completed", usage: { input_tokens: 100, cached_input_tokens: 60, output_tokens: 7 } },
        { type: "turn.completed", usage: { input_tokens: 200, cached_input_tokens: 0, output_tokens: 3 } },
      ),
    );
    expect(work.usage).toEqual({ tokensTotal: 310, toolCalls: 1, costUsd: null });
    expect(args.slice(0, 2)).toEqual(["exec", "--json"]);
    expect(args).toContain("m-1");
    // The gateway keeps the key.
    expect(env).toContain("CODEX_API_KEY=kept-by-assay");
    expect(env).not.toContain("sk-0123456789");
    expect(args.find((word) => word.startsWith("openai_base_url="))).toMatch(
      /=http:\/\/127\.0\.0\.1:\d+\/v1$/,
    );
  });

  test("claude takes cost and tokens from its last event, and knows calls by their ids", async () => {
    const call = (id: string) => ({
      type: "assistant",
      message: { content: [{ type: "text" }, { type: "tool_use", id }] },
    });
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      cache_read_input_tokens: 80,
      cache_creation_input_tokens: 5,
    };
    const { work } = await workWith(
      "claude",
      json(call("a"), call("a"), call("b"), { type: "result", total_cost_usd: 0.25, usage }),
    );
    expect(work.usage).toEqual({ tokensTotal: 100, toolCalls: 2, costUsd: 0.25 });
  });

  test("opencode sums what its steps tell", async () => {
    const step = (cost: number) => ({
      type: "step_finish",
      part: { cost, tokens: { input: 10, output: 2, reasoning: 1, cache: { read: 5, write: 2 } } },
    });
    const { work } = await workWith("opencode", json(step(0.5), { type: "tool_use", part: {} }, step(0.25)));
    expect(work.usage).toEqual({ tokensTotal: 40, toolCalls: 1, costUsd: 0.75 });
  });

  test("gemini takes its numbers from its last event", async () => {
    process.env.GEMINI_API_KEY = "sk-0123456789";
    const { work, env, home } = await workWith(
      "gemini",
      `Loaded.\n${json({ type: "result", stats: { total_tokens: 42, tool_calls: 4 } })}`,
    );
    expect(work.usage).toEqual({ tokensTotal: 42, toolCalls: 4, costUsd: null });
    expect(env).toMatch(/^GOOGLE_GEMINI_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/m);
    expect(env).not.toContain("sk-0123456789");
    expect(home(".gemini/settings.json")).toMatchObject({
      security: { auth: { selectedType: "gemini-api-key" } },
    });
  });

  test("qwen knows calls of tools by their ids, as Claude Code has them", async () => {
    process.env.OPENAI_API_KEY = "sk-0123456789";
    const { work, env } = await workWith(
      "qwen",
      json(
        { type: "assistant", message: { content: [{ type: "tool_use", id: "a" }] } },
        { type: "assistant", message: { content: [{ type: "tool_use", id: "b" }] } },
        { type: "result", usage: { total_tokens: 2100 } },
      ),
    );
    expect(work.usage).toEqual({ tokensTotal: 2100, toolCalls: 2, costUsd: null });
    expect(env).toMatch(/^OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/v1$/m);
  });

  test("pi sums the messages of its model", async () => {
    process.env.OPENAI_API_KEY = "sk-0123456789";
    const message = (totalTokens: number) => ({
      type: "message_end",
      message: { role: "assistant", usage: { totalTokens } },
    });
    const { work, home } = await workWith(
      "pi",
      json(
        message(10),
        { type: "tool_execution_start" },
        { type: "message_end", message: { role: "user" } },
        message(5),
      ),
    );
    expect(work.usage).toEqual({ tokensTotal: 15, toolCalls: 1, costUsd: null });
    expect(home(".pi/agent/models.json")).toMatchObject({
      providers: { assay: { apiKey: "kept-by-assay", models: [{ id: "m-1" }] } },
    });
  });

  test("cline leaves no daemon, and counts the tools of its rounds", async () => {
    process.env.OPENAI_API_KEY = "sk-0123456789";
    const round = (toolCallCount: number) => ({
      type: "agent_event",
      event: { type: "iteration_end", toolCallCount },
    });
    const { work, env } = await workWith(
      "cline",
      json(round(2), round(0), {
        type: "run_result",
        aggregateUsage: { inputTokens: 10, outputTokens: 5 },
      }),
    );
    expect(work.usage).toEqual({ tokensTotal: 15, toolCalls: 2, costUsd: null });
    expect(env).toContain("CLINE_SESSION_BACKEND_MODE=local");
  });

  test("opencode asks the provider that its model names, and any other server by Chat Completions", async () => {
    process.env.OPENAI_API_KEY = "sk-0123456789";
    const settings = async (model: string) =>
      (await workWith("opencode", "", model)).home(".config/opencode/opencode.json");
    expect(await settings("openai/gpt-5")).toMatchObject({
      model: "openai/gpt-5",
      provider: { openai: { options: { apiKey: "kept-by-assay" }, models: { "gpt-5": {} } } },
    });
    expect(await settings("qwen/coder")).toMatchObject({
      model: "compatible/qwen/coder",
      provider: { compatible: { npm: "@ai-sdk/openai-compatible", models: { "qwen/coder": {} } } },
    });
  });

  test("aider sums its reports in round numbers", async () => {
    const { work, args } = await workWith(
      "aider",
      "Tokens: 3.0k sent, 42 received. Cost: $0.01 message, $0.01 session.\n" +
        "Tokens: 1,250 sent, 8 received. Cost: $0.02 message, $0.03 session.\n",
      "",
    );
    expect(work.usage).toMatchObject({ tokensTotal: 4300, toolCalls: null });
    expect(work.usage.costUsd).toBeCloseTo(0.03);
    expect(args).not.toContain("--model");
    expect(args).toContain("--message-file");
  });

  test.each(["codex", "claude", "opencode", "gemini", "qwen", "aider"])(
    "%s that prints nothing of use leaves all unknown",
    async (name) => {
      const { work } = await workWith(name, "Segmentation fault\n{broken\n");
      expect(work.usage).toMatchObject({ tokensTotal: null, costUsd: null });
      expect(agentPresets[name]!.description).toMatch(/untested here|tried with \d/);
    },
  );
});
