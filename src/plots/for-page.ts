import { PROPERTIES } from "./theme.ts";

const PAINT = /\b(fill|stroke)="(#[0-9a-f]{6})"/g;

/**
 * A drawing for a web page: each colour is a custom property of the page with the file's colour behind it, and
 * the name is a label instead of a title, which browsers would show as a tip over everything.
 */
export function forPage(svg: string): string {
  const painted = svg.replaceAll(PAINT, (whole, attribute: string, colour: string) => {
    const property = PROPERTIES[colour];
    return property === undefined ? whole : `${attribute}="var(${property},${colour})"`;
  });
  const title = /<title>([^<]*)<\/title>/.exec(painted)?.[1] ?? "";
  return painted.replace(/<title>[^<]*<\/title>/, "").replace("<svg ", `<svg aria-label="${title}" `);
}
