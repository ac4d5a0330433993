import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../src/server/start-server.ts";
import { StudyShelf } from "../../src/server/study-shelf.ts";
import { aRecord, aStudy, aStudyFile } from "../support/a-study.ts";
import { askRaw } from "../support/live-page.ts";
import { TempFolder } from "../support/temp-folder.ts";

const RUN = "a__seed1__baseline__0123456789ab";
const HOSTILE = "</script><img src=x onerror=alert(1)>";
let folder: TempFolder;
let server: RunningServer;
const ask = (path: string) =>
  askRaw(server.port, path, { headers: { Authorization: `Bearer ${server.token}` } });

beforeAll(async () => {
  folder = new TempFolder({
    "secret.txt": "outside",
    "served/s/study.json": JSON.stringify(
      aStudyFile({ name: HOSTILE, study: aStudy({ params: { [HOSTILE]: HOSTILE } }) }),
    ),
    "served/s/journal.jsonl": `${JSON.stringify(aRecord({ params: { [HOSTILE]: HOSTILE }, metrics: { [HOSTILE]: 1 }, outcome: { status: "failed", owner: "agent", reason: HOSTILE } }))}\n`,
    [`served/s/runs/${RUN}/stdout.txt`]: HOSTILE,
    [`served/s/runs/${RUN}/out/page.html`]: HOSTILE,
    [`served/s/runs/${RUN}/out/empty.bin`]: "",
    [`served/s/runs/${RUN}/out/%2e%2e`]: "a strange name",
    "served/s/runs/secret.txt": "another run's",
  });
  const out = `${folder.path}/served/s/runs/${RUN}/out`;
  symlinkSync(`${folder.path}/secret.txt`, `${out}/link.txt`);
  symlinkSync(folder.path, `${out}/linked`);
  symlinkSync("page.html", `${out}/inside.html`);
  symlinkSync(folder.path, `${folder.path}/served/s/runs/linked-run`);
  symlinkSync(`${folder.path}/served/s`, `${folder.path}/served/linked-study`);
  execFileSync("mkfifo", [`${out}/pipe`]);
  server = await startServer({ root: `${folder.path}/served` });
});

afterAll(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

describe("a run's file", () => {
  test.each(["out/page.html", "page.html", "out/inside.html"])(
    "(%s) comes as a download, never as a page",
    async (path) => {
      const { status, text, headers } = await ask(`/api/file?study=s&run=${RUN}&path=${path}`);
      expect({ status, text }).toEqual({ status: 200, text: HOSTILE });
      expect(headers["content-type"]).toBe("application/octet-stream");
      expect(headers["content-disposition"]).toMatch(/^attachment; filename\*=UTF-8''\w+\.html$/);
      expect(headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
    },
  );

  test("is text where its name says so, and may be empty", async () => {
    const { text, headers } = await ask(`/api/file?study=s&run=${RUN}&path=stdout.txt`);
    expect(text).toBe(HOSTILE);
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(await ask(`/api/file?study=s&run=${RUN}&path=out/empty.bin`)).toMatchObject({
      status: 200,
      text: "",
    });
    const strange = await ask(`/api/file?study=s&run=${RUN}&path=out/%252e%252e`);
    expect(strange.text).toBe("a strange name");
  });

  const away = (path: string) => `/api/file?study=s&run=${RUN}&path=${path}`;
  test.each([
    away("../../../../secret.txt"),
    away("..%2f..%2f..%2f..%2fsecret.txt"),
    away("..%252f..%252f..%252f..%252fsecret.txt"),
    away("%252e%252e%252fsecret.txt"),
    away("..%5c..%5csecret.txt"),
    away("..\\..\\secret.txt"),
    away("out/../../secret.txt"),
    away("out/%2e%2e/%2e%2e/secret.txt"),
    away("stdout.txt%00"),
    away("stdout.txt%00.html"),
    away("/etc/passwd"),
    away("%2fetc%2fpasswd"),
    away("//etc/passwd"),
    away("file:///etc/passwd"),
    away("./stdout.txt"),
    away(""),
    away("out"),
    away("out/link.txt"),
    away("out/linked/secret.txt"),
    away("out/pipe"),
    away("none.txt"),
    "/api/file?study=s&run=..&path=secret.txt",
    "/api/file?study=s&run=.&path=secret.txt",
    "/api/file?study=s&run=%2e%2e%2f..%2f..&path=secret.txt",
    "/api/file?study=s&run=linked-run&path=secret.txt",
    "/api/file?study=s&run=&path=secret.txt",
    `/api/file?study=..&run=${RUN}&path=stdout.txt`,
    `/api/file?study=s/../s&run=${RUN}&path=stdout.txt`,
    `/api/file?study=linked-study&run=${RUN}&path=stdout.txt`,
    `/api/file?run=${RUN}&path=stdout.txt`,
    "/api/study?id=../served/s",
    "/api/study?id=%2f",
    "/api/study?id=",
    "/api/study",
    "/api/runs?study=..%2fserved%2fs",
    "/api/run?study=s&run=../../../secret",
    "/api/events?study=none",
    "/api/compare?a=s&b=..",
    "/viewer.html",
    "/..%2f..%2fpackage.json",
    "/../package.json",
    "/viewer%2fviewer.js",
  ])("or study that is none, or elsewhere, is 404: %s", async (path) => {
    const { status, text } = await ask(path);
    expect(status).toBe(404);
    expect(text).not.toContain("outside");
  });
});

test("hostile names and texts come out as JSON and nothing else", async () => {
  for (const path of [
    "/api/studies",
    "/api/study?id=s",
    "/api/runs?study=s",
    `/api/run?study=s&run=${RUN}`,
  ]) {
    const { status, text, headers } = await ask(path);
    expect(status, path).toBe(200);
    expect(headers["content-type"]).toMatch(/^application\/json/);
    expect(JSON.stringify(JSON.parse(text))).toContain("onerror");
  }
});

describe("studies", () => {
  const journal = `${JSON.stringify(aRecord())}\n`;
  test("are found below a folder, nested too, but not through links or in a study's runs", () => {
    using root = new TempFolder({
      "a/journal.jsonl": journal,
      "a/runs/r1/out/study.json": "{}",
      "team/b/20260101-000000/journal.jsonl": journal,
      "team/b/20260102-000000/journal.jsonl": journal,
      "team/c/journal.jsonl": journal,
      "team/c/20260101-000000/journal.jsonl": journal,
      ".hidden/d/journal.jsonl": journal,
      "empty/readme.txt": "",
    });
    symlinkSync(`${root.path}/a`, `${root.path}/link`);
    expect([...new StudyShelf(root.path).all().keys()]).toEqual([
      "a",
      "team/b/20260101-000000",
      "team/b/20260102-000000",
      "team/c",
      "team/c/20260101-000000",
    ]);
  });

  test("may be the served folder itself, also before it is there", () => {
    using root = new TempFolder({ "mine/journal.jsonl": journal });
    expect(new StudyShelf(`${root.path}/mine`).find("mine")).toBe(`${root.path}/mine`);
    expect([...new StudyShelf(`${root.path}/later`, { isSingle: true }).all().keys()]).toEqual(["later"]);
    expect([...new StudyShelf(`${root.path}/later`).all().keys()]).toEqual([]);
  });
});
