import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../src/server/start-server.ts";
import { aRecord, aStudyFile } from "../support/a-study.ts";
import { askRaw } from "../support/live-page.ts";
import { TempFolder } from "../support/temp-folder.ts";

let folder: TempFolder;
let server: RunningServer;

beforeAll(async () => {
  folder = new TempFolder({
    "one/study.json": JSON.stringify(aStudyFile()),
    "one/journal.jsonl": `${JSON.stringify(aRecord())}\n`,
  });
  server = await startServer({ root: folder.path });
});

afterAll(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

const bearer = () => ({ Authorization: `Bearer ${server.token}` });
const ROUTES = [
  "/",
  "/viewer.js",
  "/api/session",
  "/api/studies",
  "/api/study?id=one",
  "/api/runs?study=one",
  "/api/run?study=one&run=x",
  "/api/notes?study=one",
  "/api/events",
  "/api/file?study=one&run=x&path=y",
  "/nothing",
];

describe("the key", () => {
  test.each(ROUTES)("is asked for at %s, with a word on where to find it", async (path) => {
    const { status, text } = await askRaw(server.port, path);
    expect(status).toBe(401);
    expect(text).toContain("Open that whole link");
  });

  test("in the link becomes a cookie that scripts and other sites don't get, and leaves the address", async () => {
    const { status, headers } = await askRaw(server.port, `/?token=${server.token}`);
    expect({ status, location: headers.location }).toEqual({ status: 303, location: "/" });
    const cookie = String(headers["set-cookie"]);
    expect(cookie).toMatch(/^assay_\d+=.*HttpOnly.*SameSite=Strict/);
    const again = await askRaw(server.port, "/api/session", { headers: { Cookie: cookie.split(";")[0]! } });
    expect(JSON.parse(again.text)).toMatchObject({ canControl: false, root: folder.path });
  });

  test("must be the right one", async () => {
    expect((await askRaw(server.port, "/?token=wrong")).status).toBe(401);
    expect((await askRaw(server.port, "/?token=")).status).toBe(401);
    for (const headers of [{ Authorization: "Bearer " }, { Cookie: `assay_${server.port}=${server.token}x` }])
      expect((await askRaw(server.port, "/api/session", { headers })).status).toBe(401);
  });

  test("of a link for once opens the page once", async () => {
    const path = server.linkForOnce().replace(/^http:..[^/]*/, "");
    expect(path).not.toContain(server.token);
    const { status, headers } = await askRaw(server.port, path);
    expect(status).toBe(303);
    expect(String(headers["set-cookie"])).toContain("HttpOnly");
    expect((await askRaw(server.port, path)).status).toBe(401);
  });

  test("is accepted in the link of the page only", async () => {
    expect((await askRaw(server.port, `/api/studies?token=${server.token}`)).status).toBe(401);
  });
});

describe("a request from elsewhere", () => {
  const foreign: [string, Record<string, string>][] = [
    ["a name that was made to point here", { Host: "evil.example" }],
    ["such a name with our port", { Host: "evil.example:80" }],
    ["a name that only begins like ours", { Host: "127.0.0.1.evil.example" }],
    ["another site", { Origin: "https://evil.example" }],
    ["a page at another port", { Origin: "http://127.0.0.1:1" }],
    ["a sandboxed page", { Origin: "null" }],
    ["an image on another page", { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors" }],
    ["a script of another local page", { "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors" }],
  ];
  test.each(foreign)("(%s) gets 403, even with the key", async (_, headers) => {
    for (const path of ["/", "/api/studies"])
      expect((await askRaw(server.port, path, { headers: { ...bearer(), ...headers } })).status).toBe(403);
  });

  test("is told apart from our own page and from a person", async () => {
    const own = { ...bearer(), Origin: `http://127.0.0.1:${server.port}`, "Sec-Fetch-Site": "same-origin" };
    expect((await askRaw(server.port, "/api/studies", { headers: own })).status).toBe(200);
    const tunnelled = { ...bearer(), Host: "localhost:9999", Origin: "http://localhost:9999" };
    expect((await askRaw(server.port, "/api/studies", { headers: tunnelled })).status).toBe(200);
  });
});

describe("every answer", () => {
  test.each(["/", "/api/studies", "/nothing"])("at %s carries the strict headers", async (path) => {
    const { headers } = await askRaw(server.port, path, { headers: bearer() });
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("is the page at /, which has no code of its own in it", async () => {
    const { text, headers } = await askRaw(server.port, "/", { headers: bearer() });
    expect(headers["content-type"]).toMatch(/^text\/html/);
    expect(text).toContain('<meta name="assay-mode" content="live">');
    expect(text).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=/);
  });
});

describe("steering", () => {
  const order = JSON.stringify({ study: "one", action: "pause" });
  const post = (headers: Record<string, string>, body = order, port = server.port) =>
    askRaw(port, "/api/control", { method: "POST", headers, body });

  test("is refused without --allow-control", async () => {
    const { status, text } = await post({ ...bearer(), "X-Assay": "1" });
    expect(status).toBe(403);
    expect(text).toContain("--allow-control");
  });

  test("takes the page's header and its origin, a whole order, and a study that runs", async () => {
    const steering = await startServer({ root: folder.path, mayControl: true });
    try {
      const key = { Authorization: `Bearer ${steering.token}` };
      const cookie = { Cookie: `assay_${steering.port}=${steering.token}` };
      const origin = { Origin: `http://127.0.0.1:${steering.port}` };
      expect((await post(key, order, steering.port)).status).toBe(403);
      expect((await post({ ...cookie, "X-Assay": "1" }, order, steering.port)).status).toBe(403);
      expect((await post({ ...cookie, ...origin }, order, steering.port)).status).toBe(403);
      const own = { ...cookie, ...origin, "X-Assay": "1" };
      for (const broken of [
        "",
        "[]",
        '{"study":"one"}',
        '{"study":"one","action":"rm"}',
        '{"study":1,"action":"pause"}',
        '{"study":"one","action":"pause","run":"x"}',
      ])
        expect((await post(own, broken, steering.port)).status, broken).toBe(400);
      expect((await post(own, '{"study":"../one","action":"pause"}', steering.port)).status).toBe(404);
      expect((await post(own, order, steering.port)).text).toContain("one is not running");
      expect((await post(own, `"${"x".repeat(20_000)}"`, steering.port)).status).toBe(413);
      expect((await askRaw(steering.port, "/api/control", { headers: own })).status).toBe(404);
    } finally {
      await steering.close();
    }
  });
});

test("the server listens on this machine only, and says so", async () => {
  await expect(startServer({ root: folder.path, host: "0.0.0.0" })).rejects.toThrow(
    /--host 0\.0\.0\.0: expected 127\.0\.0\.1, localhost or ::1.*ssh -L/,
  );
  await expect(startServer({ root: folder.path, port: server.port })).rejects.toThrow(
    `port ${server.port} is taken by another program`,
  );
});

describe("a note", () => {
  const said = { study: "one", run: "r", verdict: "pass", tags: ["<b>&"], by: "ada" };
  const post = (to: RunningServer, headers: Record<string, string>, body: unknown = said) =>
    askRaw(to.port, "/api/note", { method: "POST", headers, body: JSON.stringify(body) });

  test("takes the key, the page's header and its origin, and stands in the study's folder", async () => {
    const cookie = { Cookie: `assay_${server.port}=${server.token}` };
    const origin = { Origin: `http://127.0.0.1:${server.port}` };
    for (const less of [{ "X-Assay": "1" }, cookie, { ...cookie, ...origin }, { ...cookie, "X-Assay": "1" }])
      expect((await post(server, less as Record<string, string>)).status).toBeGreaterThanOrEqual(401);
    const { status, text } = await post(server, { ...cookie, ...origin, "X-Assay": "1" });
    expect(status).toBe(200);
    expect(JSON.parse(text).notes).toMatchObject([{ run: "r", verdict: "pass", tags: ["<b>&"], by: "ada" }]);
    expect(JSON.parse(folder.read("one/notes.jsonl"))).toMatchObject({ run: "r", by: "ada" });
  });

  test("is refused where it is none, of an unknown study, or on a page that only reads", async () => {
    const script = (to: RunningServer) => ({ Authorization: `Bearer ${to.token}`, "X-Assay": "1" });
    expect((await post(server, script(server), { study: "one", run: "r" })).status).toBe(400);
    expect((await post(server, script(server), { ...said, tags: "no list" })).status).toBe(400);
    expect((await post(server, script(server), { ...said, study: "../one" })).status).toBe(404);
    const reading = await startServer({ root: folder.path, mayNote: false });
    try {
      expect((await post(reading, script(reading))).status).toBe(403);
    } finally {
      await reading.close();
    }
  });
});
