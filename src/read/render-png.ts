import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { packageDir } from "../host/package.ts";

const SCALE = 2;
const FACES = ["DejaVuSans", "DejaVuSans-Bold"];

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

/** First the small fonts of the build, with the usual characters; behind them the whole ones, for all others. */
function fontFiles(): string[] {
  const require = createRequire(import.meta.url);
  const whole = FACES.map((face) => require.resolve(`dejavu-fonts-ttf/ttf/${face}.ttf`));
  const small = FACES.map((face) => `${packageDir()}/dist/fonts/${face}.ttf`);
  return [...small.filter((path) => existsSync(path)), ...whole];
}
