import { afterEach, expect, test, vi } from "vitest";
import { RunFailure } from "../../../src/core/run.ts";
import { type Fault, type ScriptedServer, serveScripted } from "../../../src/models/serve-scripted.ts";
import { agent } from "../../../src/targets/agent/index.ts";
import { agentSchema } from "../../../src/targets/agent/params.ts";

let server: ScriptedServer | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.close();
  server = undefined;
});

/** A run of two instances over HTTP; what the provider answers to each call is the test's. */
async function runWith(fault: (call: number) => Fault | undefined) {
  server = await serveScripted({ fault });
  vi.stubEnv("OPENAI_COMPATIBLE_API_KEY", "sk-for-the-tests-only");
  const params = agentSchema.parse({
    model: "openai-compatible:coder",
    base_url: server.baseUrl,
    instances_slice: "0:2",
    trace: false,
  });
  // The scripted model is what answers, so its commands may run in this process.
  const context = {
    params: { ...params, sandbox: "memory" as const },
    seed: 1,
    task: null,
    repeat: 0,
    iteration: 0,
    baseDir: ".",
    outDir: null,
  };
  const signal = new AbortController().signal;
  const run = agent.run({ ...context, signal, series: () => {}, warn: () => {} }, undefined);
  return Promise.resolve(run).then(
    (metrics) => ({ metrics, failure: undefined }),
    (failure: RunFailure) => ({ metrics: failure.metrics, failure }),
  );
}

const says = (status: number, body = ""): Fault => ({ kind: "error", status, body });

test.each([
  ["no credit", says(402)],
  ["a key that was taken back", says(401)],
  ["a model that is gone", says(404)],
  ["no credit, in words of another provider", says(429, '{"error": {"code": "insufficient_quota"}}')],
])("%s from the third call on fails the run: nobody was measured", async (_, fault) => {
  const { failure, metrics } = await runWith((call) => (call > 2 ? fault : undefined));
  expect(failure).toBeInstanceOf(RunFailure);
  expect(failure!.owner).toBe("infrastructure");
  expect(metrics).toMatchObject({ solve_rate: null, submission_rate: null });
});

test("an instance that could not be measured leaves no rate over the others", async () => {
  let before = 0;
  const whole = await runWith(() => {
    before++;
    return undefined;
  });
  expect(whole.metrics.solve_rate).toEqual(expect.any(Number));
  // The last call is of the second instance.
  const { failure, metrics } = await runWith((call) => (call === before ? says(401) : undefined));
  expect(failure!.owner).toBe("infrastructure");
  expect(failure!.message).toContain("1 of 2 instances could not be measured");
  expect(metrics).toMatchObject({ solve_rate: null, submission_rate: null });
  expect(metrics.total_api_calls).toBeGreaterThan(0);
});

test("a request that is refused before the agent has said anything is no doing of the agent's", async () => {
  const { failure } = await runWith(() => says(400, '{"error": {"message": "unknown parameter: seed"}}'));
  expect(failure!.owner).toBe("infrastructure");
});

test("a request that is refused for what the agent has said is the agent's", async () => {
  const { failure, metrics } = await runWith((call) => (call === 3 ? says(400) : undefined));
  expect(failure).toBeUndefined();
  expect(metrics["exit/exit_error"]).toBe(1);
});
