import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../src/core/redact.ts";
import { CASSETTE_FILE, runOutDir, STEPS_FOLDER } from "../../src/core/study-folder.ts";
import { type CassetteHead, CassetteWriter, readCassette } from "../../src/gateway/cassette.ts";
import { checkCassettes, findCassette } from "../../src/gateway/find-cassette.ts";
import { forward } from "../../src/gateway/forward.ts";
import { type Gateway, openGateway } from "../../src/gateway/gateway.ts";
import { normaliseRequest } from "../../src/gateway/normalise.ts";
import { recordTo, replayFrom } from "../../src/gateway/replay.ts";
import type { Gate } from "../../src/models/gate/gate.ts";
import { aProvider } from "../support/a-provider.ts";
import { TempFolder } from "../support/temp-folder.ts";

const OPEN: Gate = { admit: async () => ({ settle: () => {} }) };
const SIGNAL = new AbortController().signal;
const KEY = "sk-real-0123456789";
const HEAD: CassetteHead = {
  ...{ agent: "codex", model: "m", task: "lamp", seed: 1, repeat: 0 },
  places: [{ path: "/run-1/repo", name: "<repo>" }],
};
const THERE = [{ path: "/run-2/repo", name: "<repo>" }];

const PATHS = {
  "openai-chat": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
  "anthropic-messages": "/v1/messages",
  gemini: "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse&key=kept-by-assay",
};

async function call(gateway: Gateway, path: string, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(gateway.url + path, { method: "POST", body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

/** Records what a stand-in provider answers. */
async function record(path: string, at: string, requests: object[]): Promise<string[]> {
  await using provider = await aProvider("cd /run-1/repo && make");
  const writer = new CassetteWriter(at, HEAD, createRedactor({ OPENAI_API_KEY: KEY }));
  const gateway = await openGateway({
    env: {
      OPENAI_BASE_URL: provider.url,
      OPENAI_API_KEY: KEY,
      ANTHROPIC_BASE_URL: provider.url,
      GOOGLE_GEMINI_BASE_URL: provider.url,
    },
    gate: OPEN,
    send: recordTo(writer, forward),
    signal: SIGNAL,
  });
  const answers: string[] = [];
  for (const request of requests) answers.push((await call(gateway, path, request)).text);
  await gateway.close();
  writer.end();
  return answers;
}

async function replay(path: string, at: string, requests: object[]) {
  const differences: string[] = [];
  const send = replayFrom(readCassette(at), {
    places: THERE,
    onDifference: (diff) => differences.push(diff),
  });
  const gateway = await openGateway({ env: {}, gate: OPEN, send, signal: SIGNAL });
  const answers: Awaited<ReturnType<typeof call>>[] = [];
  for (const request of requests) answers.push(await call(gateway, path, request));
  await gateway.close();
  return { answers, differences, calls: gateway.calls };
}

const request = (text: string, more: object = {}) => ({
  ...{ model: "m", stream: true, tools: [{ name: "bash", function: { name: "bash" } }] },
  messages: [{ role: "user", content: text }],
  ...more,
});

describe.each(Object.entries(PATHS))("a recording of %s", (_, path) => {
  test("answers as the provider did, without one, and is metered alike", async () => {
    using folder = new TempFolder();
    const at = join(folder.path, CASSETTE_FILE);
    const recorded = await record(path, at, [request("In /run-1/repo, on 2026-11-16: mend the lamp.")]);
    const { answers, calls, differences } = await replay(path, at, [
      request("In /run-2/repo, on 2027-01-02: mend the lamp."),
    ]);
    expect(differences).toEqual([]);
    expect(answers.map(({ text }) => text)).toEqual(
      recorded.map((text) => text.replaceAll("/run-1/", "/run-2/")),
    );
    expect(calls).toMatchObject([{ status: 200, usage: { input: 600, cached: 400, output: 50 } }]);
    expect(readFileSync(at, "utf8")).not.toMatch(new RegExp(`${KEY}|kept-by-assay`));
  });
});

describe("a recording", () => {
  const path = PATHS["openai-responses"];
  const recorded = async (
    folder: { path: string },
    requests = [request("one"), request("two"), request("one")],
  ) => {
    const at = join(folder.path, CASSETTE_FILE);
    await record(path, at, requests);
    return at;
  };

  test("has what requests have in common once", async () => {
    using folder = new TempFolder();
    const long = "mend the lamp ".repeat(1000);
    const at = await recorded(folder, [request(long), request(long, { n: 2 }), request(long, { n: 3 })]);
    expect(readFileSync(at).length).toBeLessThan(2 * long.length);
    expect(readCassette(at).exchanges.map((one) => one.request)).toEqual([
      request(long),
      request(long, { n: 2 }),
      request(long, { n: 3 }),
    ]);
  });

  test("gives the same request its answers in their order, then none", async () => {
    using folder = new TempFolder();
    const at = await recorded(folder);
    const { answers, differences } = await replay(path, at, [request("one"), request("one"), request("one")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(differences[0]).toContain("something else than in call 2");
  });

  test("shows where a request differs first, in the protocol's own refusal and as a diff", async () => {
    using folder = new TempFolder();
    const at = await recorded(folder, [request("Mend it.\nThe lamp is off.\nGo.")]);
    const { answers, differences, calls } = await replay(path, at, [
      request("Mend it.\nThe lamp is on.\nGo."),
    ]);
    expect(differences).toEqual([
      "the agent asks something else than in call 1 of the recording, at request.messages[0].content, line 2\n" +
        "--- recorded\n+++ sent\n@@ request.messages[0].content, line 2 @@\n-The lamp is off.\n+The lamp is on.",
    ]);
    expect(answers[0]!.status).toBe(400);
    expect(JSON.parse(answers[0]!.text).error.message).toContain("request.messages[0].content");
    expect(calls[0]!.failure?.kind).toBe("recording");
  });

  test("is refused where it was cut, edited or is none", async () => {
    using folder = new TempFolder();
    const at = await recorded(folder);
    const text = readFileSync(at, "utf8");
    const lines = text.trimEnd().split("\n");
    const cases: [string, RegExp][] = [
      [`${lines.slice(0, -1).join("\n")}\n`, /cut off/],
      [text.slice(0, -20), /cut off|edited/],
      [text.replace("call_1", "call_2"), /was edited/],
      [`${[lines[0], ...lines.slice(2)].join("\n")}\n`, /was edited/],
      ["not a recording\n", /was edited|no recording/],
      ["", /not a recording|cut off/],
    ];
    for (const [content, reason] of cases) {
      writeFileSync(at, content);
      expect(() => readCassette(at)).toThrow(reason);
    }
    expect(() => readCassette(join(folder.path, "absent"))).toThrow(/there is none/);
  });

  test("is found by its run, or by the same work, and never for another agent", async () => {
    using folder = new TempFolder();
    const at = join(runOutDir(folder.path, "lamp__1"), CASSETTE_FILE);
    expect(() => checkCassettes(folder.path)).toThrow(/no recording to replay/);
    mkdirSync(dirname(at), { recursive: true });
    new CassetteWriter(at, HEAD, createRedactor({})).end();
    checkCassettes(folder.path);
    const wanted = { ...HEAD, runId: "lamp__1" };
    expect(findCassette(folder.path, wanted)).toBe(at);
    expect(findCassette(folder.path, { ...wanted, runId: "lamp__2" })).toBe(at);
    expect(() => findCassette(folder.path, { ...wanted, agent: "claude" })).toThrow(
      /no recording of the agent claude.*is of the agent codex with m \(seed 1\)/,
    );
    expect(() => findCassette(folder.path, { ...wanted, seed: 2, runId: "lamp__2" })).toThrow(/seed 2/);
  });

  test("is found for each step of a task that has several", () => {
    using folder = new TempFolder();
    const at = (step: string) => join(runOutDir(folder.path, "lamp__1"), STEPS_FOLDER, step, CASSETTE_FILE);
    for (const step of ["one", "two"]) {
      mkdirSync(dirname(at(step)), { recursive: true });
      new CassetteWriter(at(step), { ...HEAD, step }, createRedactor({})).end();
    }
    checkCassettes(folder.path);
    const find = (step: string) => findCassette(folder.path, { ...HEAD, step, runId: "lamp__1" });
    expect(["one", "two"].map(find)).toEqual(["one", "two"].map(at));
    expect(() => find("three")).toThrow(/no recording of the agent codex with m in the step three/);
  });
});

describe("what varies by nature is left aside", () => {
  const clean = (text: string) => normaliseRequest({ text }, HEAD.places).text;

  test.each([
    ["the folder /run-1/repo/src", "the folder <repo>/src"],
    ["projects/-run-1-repo/memory", "projects/<repo>/memory"],
    ["msg_01a1e5c4-440d-7602-a0c5-8d2605d3735f", "msg_<id>"],
    ["commit 042e0d13bd13385ea06ab79f6f6ef4451221c21a", "commit <id>"],
    ["Chunk ID: 110f4b", "Chunk ID: <id>"],
    ["Original token count: 217", "Original token count: <number>"],
    ["Device: 0,105\tInode: 743161      Links: 1", "Device: <id> Inode: <id> Links: 1"],
    ["Device: 8ch/140d    Inode: 99  Links: 1", "Device: <id> Inode: <id> Links: 1"],
    [" 18 drwx------ 5 root\n743161 -rw-r--r-- 1 root", "<id> drwx------ 5 root\n<id> -rw-r--r-- 1 root"],
    ["# duration_ms 45.125\n  duration_ms: 1.5", "# duration_ms <duration>\n  duration_ms <duration>"],
    ["[main 1a2b3c4] Mend it", "[main <id>] Mend it"],
    ["/tmp/tmp.Ab12/x", "/tmp/<name>/x"],
    ["http://127.0.0.1:43205/v1", "http://<address>/v1"],
    ["2026-11-16T19:07:00.123Z", "<date>"],
    ["today is 2026-11-16.", "today is <date>."],
    ["120 Nov 16 19:07 .git", "120 <date> .git"],
    ["Mon Nov 16 19:07:01 UTC 2026", "<date>"],
    ["at 19:07:01,5", "at <time>"],
    ["stamp 1794856207.3734148", "stamp <time>"],
    ["Wall time: 0.0512 seconds", "Wall time: <duration>"],
    ["3 passed in 0.12s", "3 passed in <duration>"],
    ["real 0m0.012s", "real <duration>"],
  ])("%s", (text, expected) => expect(clean(text)).toBe(expected));

  test.each(["line 12 of 30", "x = 5", "port 8080", "v1.2.3", "5 items"])("but not %s", (text) =>
    expect(clean(text)).toBe(text),
  );

  test("and ids of calls that agents of Gemini make up", () => {
    const parts = [{ functionCall: { id: "run_1794_0", name: "x", args: { id: 7 } } }];
    expect(normaliseRequest({ parts }, [])).toEqual({
      parts: [{ functionCall: { name: "x", args: { id: 7 } } }],
    });
  });

  test("and keys that name a session", () => {
    const request = {
      model: "m",
      metadata: { user_id: "u" },
      prompt_cache_key: "k",
      input: [{ create_time: 1 }],
    };
    expect(normaliseRequest(request, [])).toEqual({ model: "m", input: [{}] });
  });
});
