import { afterEach, describe, expect, test } from "vitest";
import { failWith, readFault } from "../../src/gateway/faults.ts";
import type { Send } from "../../src/gateway/forward.ts";
import { type Gateway, openGateway } from "../../src/gateway/gateway.ts";
import { scriptedModel, shellCall } from "../../src/gateway/scripted.ts";

const opened: Gateway[] = [];
afterEach(async () => {
  for (const gateway of opened.splice(0)) await gateway.close();
});

async function aGateway(send: Send): Promise<Gateway> {
  const gateway = await openGateway({
    env: {},
    gate: { admit: async () => ({ settle: () => {} }) },
    send,
    signal: new AbortController().signal,
  });
  opened.push(gateway);
  return gateway;
}

const PATHS = [
  "/v1/responses",
  "/v1/chat/completions",
  "/v1/messages?beta=true",
  "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
];

const ask = ({ url }: Gateway, path = PATHS[0]!, body: object = {}) =>
  fetch(url + path, { method: "POST", body: JSON.stringify({ model: "gpt-5-mini", stream: true, ...body }) });

describe.each(PATHS)("a provider of %s that fails on request", (path) => {
  test.each([
    ["401", "auth"],
    ["403", "auth"],
    ["429", "rate-limit"],
    ["500", "server"],
    ["529", "server"],
    ["cut", "network"],
    ["garbage", "server"],
    ["dns", "network"],
  ])("with %s is known by its kind", async (fault, kind) => {
    const gateway = await aGateway(failWith(readFault(fault), scriptedModel([])));
    const response = await ask(gateway, path).catch(() => undefined);
    await response?.text().catch(() => {});
    await gateway.close();
    expect(gateway.calls.map(({ failure }) => failure?.kind)).toEqual([kind]);
    if (fault === "429") expect(response?.headers.get("retry-after")).toBe("1");
    if (Number(fault) > 0) expect(response?.status).toBe(Number(fault));
  });
});

test("a slow provider answers all the same", async () => {
  const gateway = await aGateway(failWith(readFault("slow"), scriptedModel([]), { slowMs: 30 }));
  expect((await ask(gateway)).status).toBe(200);
  await gateway.close();
  expect(gateway.calls[0]!.failure).toBeUndefined();
  expect(gateway.calls[0]!.firstTokenMs).toBeGreaterThanOrEqual(29);
});

test("calls fail from the one that is named, and later ones are retries", async () => {
  const gateway = await aGateway(failWith(readFault("403@2"), scriptedModel([])));
  for (let i = 0; i < 3; i++) await (await ask(gateway)).text();
  await gateway.close();
  expect(gateway.calls.map(({ status, isRetry = false }) => [status, isRetry])).toEqual([
    [200, false],
    [403, false],
    [403, true],
  ]);
});

test.each(["404", "429@0", "429@", "slow@x", ""])(
  "the fault %s is refused with those that there are",
  (text) => {
    expect(() => readFault(text)).toThrow("expected one of 401, 403, 429, 500, 529, cut, garbage, slow, dns");
  },
);

describe("the scripted model", () => {
  test.each([
    ["exec_command", { tools: [{ type: "function", name: "exec_command" }] }, { cmd: "ls" }],
    [
      "Bash",
      { tools: [{ name: "Task" }, { name: "Bash" }] },
      { command: "ls", description: "does the task" },
    ],
    [
      "bash",
      { tools: [{ type: "function", function: { name: "bash" } }] },
      { command: "ls", description: "does the task" },
    ],
    ["run_commands", { tools: [{ function: { name: "run_commands" } }] }, { commands: ["ls"] }],
    [
      "run_shell_command",
      { tools: [{ functionDeclarations: [{ name: "glob" }, { name: "run_shell_command" }] }] },
      { command: "ls", description: "does the task" },
    ],
  ])("asks for %s where the agent calls its shell so", (name, body, input) => {
    expect(shellCall(body, ["ls"])).toEqual({ name, input, number: 1 });
  });

  test("is done once it has seen a result, and where there is no shell", () => {
    const tools = [{ name: "Bash" }];
    expect(shellCall({ tools, messages: [{ content: [{ type: "tool_result" }] }] }, ["ls"])).toBeUndefined();
    expect(shellCall({ tools: [{ name: "Read" }] }, ["ls"])).toBeUndefined();
  });

  test("asks, then says that it is done, in the agent's own protocol", async () => {
    const gateway = await aGateway(scriptedModel(["make", "make test"]));
    const tools = [{ type: "function", name: "exec_command" }];
    expect(await (await ask(gateway, PATHS[0], { tools })).text()).toContain('{\\"cmd\\":\\"make\\"}');
    const input = [{ type: "function_call_output", call_id: "call_1", output: 'made "type":"tool_result"' }];
    const second = await (await ask(gateway, PATHS[0], { tools, input })).text();
    expect(second).toContain('{\\"cmd\\":\\"make test\\"}');
    expect(second).toContain('"call_id":"call_2"');
    input.push({ type: "function_call_output", call_id: "call_2", output: "tested" });
    expect(await (await ask(gateway, PATHS[0], { tools, input })).text()).toContain("Done.");
    expect((await fetch(`${gateway.url}/v1/models`)).status).toBe(404);
    await gateway.close();
    expect(gateway.calls).toHaveLength(3);
  });
});
