import { createRequire } from "node:module";

const SCALE = 2;

/**
 * An SVG as PNG, twice as many pixels as its size says. The fonts are files of a package: without them all text
 * would vanish on a machine that has none, and differ from machine to machine on one that has.
 */
export async function renderPng(svg: string): Promise<Uint8Array> {
  const { Resvg } = await import("@resvg/resvg-js");
  const require = createRequire(import.meta.url);
  const fontFiles = [
    require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
    require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
  ];
  const image = new Resvg(svg, {
    fitTo: { mode: "zoom", value: SCALE },
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: "DejaVu Sans" },
  });
  return image.render().asPng();
}
