import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createRedactor } from "../../src/core/redact.ts";
import { redactFile, redactFolder } from "../../src/executors/seal.ts";

const SECRET = "sécret-\u{1f511}-value";
const HIDDEN = "[secret API_KEY]";
const CHUNK = 1 << 22;
const redactor = createRedactor({ API_KEY: SECRET });
const dir = mkdtempSync(join(tmpdir(), "assay-redact-"));
afterAll(() => rmSync(dir, { recursive: true }));

function redacted(bytes: Buffer): Buffer {
  const path = `${dir}/file`;
  writeFileSync(path, bytes);
  redactFile(path, redactor);
  return readFileSync(path);
}

describe("redacting a file", () => {
  test("leaves JSON readable where a number only looks like a secret", () => {
    const pin = createRedactor({ DB_PASSWORD: "12345678" });
    const lines = [
      '{"step": 12345678, "v": [12345678,912345678]}',
      '{"step": 2, "said": "a \\" 12345678, b"}',
    ];
    const path = `${dir}/series.jsonl`;
    writeFileSync(path, lines.join("\n"));
    redactFile(path, pin);
    const [first, second] = readFileSync(path, "utf8").split("\n");
    expect(first).toBe(lines[0]);
    expect(JSON.parse(second!)).toEqual({ step: 2, said: 'a " [secret DB_PASSWORD], b' });
    writeFileSync(path, `log of ${SECRET}`);
    redactFile(path, redactor);
    expect(readFileSync(path, "utf8")).toBe(`log of ${HIDDEN}`);
    writeFileSync(`${dir}/notes.txt`, lines.join("\n"));
    redactFile(`${dir}/notes.txt`, pin);
    expect(readFileSync(`${dir}/notes.txt`, "utf8")).not.toContain("12345678");
  });

  test("hides a secret wherever chunks of reading may cut through it", () => {
    const secret = Buffer.from(SECRET);
    for (let shift = 0; shift <= secret.length; shift++) {
      const before = Buffer.alloc(CHUNK - shift, 0xff);
      const after = Buffer.alloc(10, 0);
      const clean = redacted(Buffer.concat([before, secret, secret, after]));
      const expected = Buffer.concat([before, Buffer.from(HIDDEN + HIDDEN), after]);
      expect(clean.equals(expected), `${shift} bytes before the end of a chunk`).toBe(true);
    }
  });

  test("leaves every other byte and the file's mode as they are", () => {
    const path = `${dir}/mode`;
    const bytes = Buffer.from([0, 255, 254, ...Buffer.from(SECRET), 128]);
    writeFileSync(path, bytes);
    chmodSync(path, 0o750);
    redactFile(path, redactor);
    expect([...readFileSync(path)]).toEqual([0, 255, 254, ...Buffer.from(HIDDEN), 128]);
    expect(statSync(path).mode & 0o777).toBe(0o750);
  });

  test("does not touch a file without secrets", () => {
    const path = `${dir}/clean`;
    writeFileSync(path, "nothing to see");
    const { ino, mtimeMs } = statSync(path);
    redactFile(path, redactor);
    expect(statSync(path)).toMatchObject({ ino, mtimeMs });
  });

  test("goes through folders, but never through links", () => {
    mkdirSync(`${dir}/out/deep`, { recursive: true });
    mkdirSync(`${dir}/elsewhere`);
    for (const path of ["out/deep/a", "elsewhere/b"]) writeFileSync(`${dir}/${path}`, SECRET);
    symlinkSync(`${dir}/elsewhere`, `${dir}/out/folder`);
    symlinkSync(`${dir}/elsewhere/b`, `${dir}/out/file`);
    redactFolder(`${dir}/out`, redactor);
    expect(readFileSync(`${dir}/out/deep/a`, "utf8")).toBe(HIDDEN);
    expect(readFileSync(`${dir}/elsewhere/b`, "utf8")).toBe(SECRET);
  });
});
