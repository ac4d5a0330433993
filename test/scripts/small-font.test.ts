import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Resvg } from "@resvg/resvg-js";
import { describe, expect, test } from "vitest";
import { smallFont } from "../../scripts/small-font.ts";
import { renderPng } from "../../src/read/built-files.ts";
import { TempFolder } from "../support/temp-folder.ts";

const whole = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf");

/** A single letter, large: kerning plays no part in it. */
function pixelsOf(letter: string, font: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><text x="5" y="30" font-size="28" font-family="DejaVu Sans">${letter}</text></svg>`;
  const image = new Resvg(svg, {
    font: { loadSystemFonts: false, fontFiles: [font], defaultFontFamily: "DejaVu Sans" },
  });
  return Buffer.from(image.render().pixels).toString("base64");
}

describe("a small font", () => {
  // É and ± are composite glyphs in many fonts: their parts must come along.
  test("draws what it keeps as the whole one does, and nothing else", () => {
    using folder = new TempFolder();
    const small = folder.write(
      "small.ttf",
      smallFont(readFileSync(whole), (code) => code < 0x180),
    );
    const blank = pixelsOf(" ", whole);
    for (const letter of ["A", "g", "É", "ß", "±", "%"]) {
      expect(pixelsOf(letter, small)).toBe(pixelsOf(letter, whole));
      expect(pixelsOf(letter, small)).not.toBe(blank);
    }
    expect(pixelsOf("Ж", whole)).not.toBe(blank);
    expect(pixelsOf("Ж", small)).not.toBe(pixelsOf("Ж", whole));
    expect(readFileSync(small).length).toBeLessThan(readFileSync(whole).length / 3);
  });

  test("leaves the other characters of a picture to the whole font", async () => {
    const svg = (word: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40" font-family="DejaVu Sans"><text x="5" y="30">${word}</text></svg>`;
    const [armenian, blank] = await Promise.all([renderPng(svg("Հայ")), renderPng(svg(" "))]);
    expect(Buffer.from(armenian).equals(Buffer.from(blank))).toBe(false);
  });
});
