import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, streamText, tool } from "ai";
import { afterEach, expect, test } from "vitest";
import { type Fault, type ScriptedServer, serveScripted } from "../../src/models/serve-scripted.ts";
import { TASK } from "./scripted/tiny-shop.ts";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

/** Streams one answer through the `ai` package. */
async function stream(fault?: Fault) {
  server = await serveScripted({ fault: () => fault });
  const model = createOpenAICompatible({ name: "local", baseURL: server.baseUrl, includeUsage: true })(
    "coder",
  );
  const errors: unknown[] = [];
  const result = streamText({
    model,
    prompt: TASK,
    tools: { bash: tool({ inputSchema: jsonSchema({ type: "object" }) }) },
    maxRetries: 0,
    onError: ({ error }) => {
      errors.push(error);
    },
  });
  let text = "";
  for await (const part of result.fullStream) if (part.type === "text-delta") text += part.text;
  return { result, text, errors };
}

test("streams words, tool calls and usage as others' clients expect them", async () => {
  const { result, text, errors } = await stream();
  expect(errors).toEqual([]);
  expect(text).toBe("I look at what there is.");
  const [call] = await result.toolCalls;
  expect(call!.toolName).toBe("bash");
  expect((call!.input as { command: string }).command).toMatch(/^find /);
  const usage = await result.usage;
  expect(usage.inputTokens).toBeGreaterThan(20);
  expect(usage.outputTokens).toBeGreaterThan(10);
  expect(await result.finishReason).toBe("tool-calls");
});

test("a stream can be cut in the middle, and the client notices", async () => {
  await expect(stream({ kind: "cut" })).rejects.toThrow("Failed to process successful response");
});

test("serves this machine alone, and lists its model", async () => {
  server = await serveScripted();
  expect(server.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  const models = (await (await fetch(`${server.baseUrl}/models`)).json()) as { data: { id: string }[] };
  expect(models.data.map(({ id }) => id)).toEqual(["coder"]);
});
