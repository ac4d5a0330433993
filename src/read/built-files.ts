import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { MachineError } from "../core/errors.ts";
import { packageDir } from "../host/environment.ts";

/** The page's program and look, as the build left them. */
export function readViewer(): { script: string; style: string } {
  const dir = `${packageDir()}/dist/viewer`;
  try {
    return {
      script: readFileSync(`${dir}/viewer.js`, "utf8"),
      style: readFileSync(`${dir}/viewer.css`, "utf8"),
    };
  } catch {
    throw new MachineError(
      `the report's page is not built (${dir}/viewer.js is missing). Run \`npm run build\` in the package, or leave the page out: assay report STUDY --format md,json.`,
    );
  }
}

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
