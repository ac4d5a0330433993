/** Widths of DejaVu Sans in hundredths of the font size, for the characters that differ much from the rest. */
const NARROW: Record<string, number> = {};
for (const [width, characters] of [
  [28, "ijlI"],
  [32, " .,;:'|!"],
  [40, "frt()[]{}-/"],
  [52, "szcJ"],
  [84, "wCGDHNOQU%+=~±×"],
  [98, "mMW@"],
] as const)
  for (const character of characters) NARROW[character] = width;

/** How wide a text is about, in pixels: a pure room has no fonts to ask. Errs towards wide. */
export function textWidth(text: string, size: number): number {
  let hundredths = 0;
  for (const character of text) hundredths += NARROW[character] ?? 64;
  return (hundredths * size) / 100;
}

/** Breaks a text into lines no wider than `width`. */
export function wrapText(text: string, width: number, size: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(`${last} ${word}`, size) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A name cut to a width, with its end replaced by an ellipsis. */
export function shortText(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text;
  let kept = text;
  while (kept.length > 1 && textWidth(`${kept}…`, size) > width) kept = kept.slice(0, -1);
  return `${kept}…`;
}

/** A name cut to a width in its middle: names of one kind often differ at their ends. */
export function middleText(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text;
  let kept = Math.floor(text.length / 2);
  const cut = () => `${text.slice(0, kept)}…${text.slice(-kept)}`;
  while (kept > 1 && textWidth(cut(), size) > width) kept--;
  return cut();
}
