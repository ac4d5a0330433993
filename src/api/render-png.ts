import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { smallFont } from "./small-font.ts";

const SCALE = 2;
const FACES = ["DejaVuSans", "DejaVuSans-Bold"];
/** Latin, Greek, Cyrillic, punctuation, arrows, mathematics: what most charts are written in. */
const USUAL = [
  [0x20, 0x24f],
  [0x370, 0x52f],
  [0x2000, 0x22ff],
  [0xfffd, 0xfffd],
] as const;

let fonts: string[] | undefined;

/**
 * An SVG as PNG, twice as many pixels as its size says. The fonts are files of a package: without them all text
 * would vanish on a machine that has none, and differ from machine to machine on one that has.
 */
export async function renderPng(svg: string): Promise<Uint8Array> {
  const { Resvg } = await import("@resvg/resvg-js");
  fonts ??= fontFiles();
  const image = new Resvg(svg, {
    fitTo: { mode: "zoom", value: SCALE },
    font: { loadSystemFonts: false, fontFiles: fonts, defaultFontFamily: "DejaVu Sans" },
  });
  return image.render().asPng();
}

/** Small fonts for the usual characters first, the whole ones behind them for all others. */
function fontFiles(): string[] {
  const require = createRequire(import.meta.url);
  const whole = FACES.map((face) => require.resolve(`dejavu-fonts-ttf/ttf/${face}.ttf`));
  try {
    const dir = mkdtempSync(join(tmpdir(), "assay-fonts-"));
    process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
    const isUsual = (code: number) => USUAL.some(([from, to]) => code >= from && code <= to);
    const small = whole.map((path, i) => {
      const file = join(dir, `${FACES[i]}.ttf`);
      writeFileSync(file, smallFont(readFileSync(path), isUsual));
      return file;
    });
    return [...small, ...whole];
  } catch {
    // No room for temporary files: slower, and the same picture.
    return whole;
  }
}
