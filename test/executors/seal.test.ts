import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../src/core/redact.ts";
import { sealOutput } from "../../src/executors/seal.ts";
import { TempFolder } from "../support/temp-folder.ts";

const NOTHING = createRedactor({});
const CAPPED = (cap: number) => `\n[assay: capped at ${cap} bytes; what came after was not kept]\n`;

function sealed(content: string | Uint8Array, cap: number, redactor = NOTHING): Buffer {
  using folder = new TempFolder({ "stdout.txt": content });
  sealOutput(`${folder.path}/stdout.txt`, cap, redactor);
  return readFileSync(`${folder.path}/stdout.txt`);
}

describe("captured output", () => {
  test("within its cap stays as it is, also bytes that are not UTF-8", () => {
    const bytes = Buffer.from([0xff, 0xfe, 0, 0x80, 10, 0xc3]);
    expect(sealed(bytes, 6)).toEqual(bytes);
    expect(sealed("", 6)).toHaveLength(0);
  });

  test("beyond its cap is cut, and says so at its end", () => {
    expect(sealed("0123456789", 4).toString()).toBe(`0123${CAPPED(4)}`);
    expect(sealed("0123456789", 0).toString()).toBe(CAPPED(0));
  });

  test("that never came is an empty file", () => {
    using folder = new TempFolder();
    sealOutput(`${folder.path}/stderr.txt`, 10, NOTHING);
    expect(folder.read("stderr.txt")).toBe("");
  });

  test("loses its secrets and nothing else, between bytes that are not UTF-8", () => {
    const redactor = createRedactor({ API_KEY: "schlüssel-42" });
    const content = Buffer.concat([
      Buffer.from([0xff, 0]),
      Buffer.from("=schlüssel-42;"),
      Buffer.from([0xc3, 0xff]),
    ]);
    const expected = Buffer.concat([
      Buffer.from([0xff, 0]),
      Buffer.from("=[secret API_KEY];"),
      Buffer.from([0xc3, 0xff]),
    ]);
    expect(sealed(content, 1000, redactor)).toEqual(expected);
  });

  test("keeps no beginning of a secret, wherever the cap cuts", () => {
    const secret = "πρᵍ-secret-✓✓✓✓-end";
    const redactor = createRedactor({ API_KEY: secret });
    const text = `before ${secret} between ${secret} after, and some more`;
    for (let cap = 0; cap <= Buffer.byteLength(text); cap++) {
      const kept = sealed(text, cap, redactor).toString();
      expect(kept).not.toMatch(/π|secret-|✓|-end/);
    }
  });

  test("keeps no secret, whatever surrounds it", () => {
    const piece = fc.oneof(fc.constant("SECRET"), fc.string({ maxLength: 5 }));
    fc.assert(
      fc.property(fc.array(piece), fc.nat({ max: 200 }), (pieces, cap) => {
        const text = pieces.map((part) => (part === "SECRET" ? "canary-0123" : part)).join("");
        const kept = sealed(text, cap, createRedactor({ MY_TOKEN: "canary-0123" })).toString();
        expect(kept).not.toContain("canary-");
      }),
      { numRuns: 50 },
    );
  });
});
