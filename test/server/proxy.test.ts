import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../src/server/start-server.ts";
import { aRecord, aStudyFile } from "../support/a-study.ts";
import { askRaw } from "../support/live-page.ts";
import { TempFolder } from "../support/temp-folder.ts";

let folder: TempFolder;
let server: RunningServer;
const study = (name: string) => ({
  [`${name}/study.json`]: JSON.stringify(aStudyFile()),
  [`${name}/journal.jsonl`]: `${JSON.stringify(aRecord())}\n`,
});

beforeAll(async () => {
  folder = new TempFolder({ ...study("a/results/one"), ...study("b/results/one"), ...study("c/two") });
  const [root, ...others] = ["a/results", "b/results", "c"].map((name) => `${folder.path}/${name}`);
  server = await startServer({
    ...{ root: root!, others, mayControl: true },
    proxy: { header: "X-Forwarded-User", url: new URL("https://lab.example.com/assay/"), secret: "psst" },
  });
});

afterAll(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

const ada = { "X-Forwarded-User": "ada", "X-Assay-Proxy-Secret": "psst", Host: "lab.example.com" };
const ask = (path: string, headers: Record<string, string> = ada) => askRaw(server.port, path, { headers });

describe("a page behind a proxy", () => {
  test("lets in whom the proxy names, and says who that is", async () => {
    expect(JSON.parse((await ask("/assay/api/session")).text)).toMatchObject({
      ...{ canControl: false, mayNote: false, writer: "ada" },
    });
    expect(server.url).toBe("https://lab.example.com/assay/");
  });

  test("refuses what did not come through it, also with the page's own key", async () => {
    const { "X-Forwarded-User": _, ...nobody } = ada;
    const { "X-Assay-Proxy-Secret": __, ...local } = ada;
    for (const headers of [
      nobody,
      local,
      { ...ada, "X-Assay-Proxy-Secret": "guess" },
      { ...ada, "X-Forwarded-User": " " },
    ])
      expect(await ask("/assay/api/studies", headers)).toMatchObject({ status: 401 });
    expect(await ask("/", { Authorization: `Bearer ${server.token}` })).toMatchObject({ status: 401 });
    expect(await ask(`/?token=${server.token}`, {})).toMatchObject({ status: 401 });
    for (const headers of [
      { ...ada, Host: "evil.example" },
      { ...ada, Origin: "https://evil.example" },
    ])
      expect(await ask("/assay/", headers)).toMatchObject({ status: 403 });
  });

  test("is found below its path, whether or not the proxy takes that away", async () => {
    for (const path of ["/assay", "/assay/", "/"]) {
      const { status, text } = await ask(path);
      expect(status).toBe(200);
      expect(text).toContain('src="/assay/viewer.js"');
      expect(text).toContain('name="assay-base" content="/assay"');
    }
    expect((await ask("/assay/nothing")).status).toBe(404);
    expect((await ask("/assayer/api/session")).status).toBe(404);
  });

  test("changes nothing, though it was started with control", async () => {
    for (const path of ["/assay/api/control", "/assay/api/note"]) {
      const body = JSON.stringify({ study: "c/two", action: "cancel", note: "x" });
      const headers = { ...ada, Origin: "https://lab.example.com", "X-Assay": "1" };
      expect(await askRaw(server.port, path, { method: "POST", headers, body })).toMatchObject({
        status: 403,
      });
    }
  });

  test("shows the studies of several folders, and tells two of one name apart", async () => {
    const cards = JSON.parse((await ask("/assay/api/studies")).text) as { id: string }[];
    expect(cards.map(({ id }) => id)).toEqual(["c/two", "results-2/one", "results/one"]);
    expect((await ask("/assay/api/study?id=results-2/one")).status).toBe(200);
    expect((await ask("/assay/api/study?id=../c/two")).status).toBe(404);
  });
});
