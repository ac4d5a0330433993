/** Tables that a renderer without hinting and kerning reads; the others only make the file large. */
const KEPT = ["head", "hhea", "maxp", "OS/2", "hmtx", "name", "post", "loca", "glyf", "cmap"];

interface Table {
  tag: string;
  bytes: Uint8Array;
}

/**
 * A TrueType font with the characters that `keeps` names, under the glyph numbers that they had: the outlines of all
 * others are emptied. resvg reads a font's file again for every text, so a small one draws several times as fast.
 * Layout after Microsoft's OpenType specification 1.9: table directory, cmap format 4 and 12, loca, composite glyphs.
 */
export function smallFont(font: Uint8Array, keeps: (codePoint: number) => boolean): Uint8Array {
  const tables = new Map(tablesOf(font).map(({ tag, bytes }) => [tag, bytes]));
  const characters = [...charactersOf(tables.get("cmap")!)]
    .filter(([code]) => keeps(code))
    .sort((a, b) => a[0] - b[0]);
  const outlines = outlinesOf(tables);
  const wanted = new Set([0, ...characters.map(([, glyph]) => glyph)]);
  for (const glyph of wanted) for (const part of componentsOf(outlines[glyph]!)) wanted.add(part);
  const { glyf, loca } = packed(
    outlines.map((outline, glyph) => (wanted.has(glyph) ? outline : new Uint8Array())),
  );
  const head = tables.get("head")!.slice();
  view(head).setInt16(50, 1);
  const post = new Uint8Array(32);
  view(post).setUint32(0, 0x00030000);
  const made = new Map([
    ...tables,
    ["glyf", glyf],
    ["loca", loca],
    ["head", head],
    ["post", post],
    ["cmap", cmapOf(characters)],
  ]);
  return fontOf(KEPT.flatMap((tag) => (made.has(tag) ? [{ tag, bytes: made.get(tag)! }] : [])));
}

function tablesOf(font: Uint8Array): Table[] {
  const data = view(font);
  return Array.from({ length: data.getUint16(4) }, (_, i) => {
    const at = 12 + 16 * i;
    const [start, length] = [data.getUint32(at + 8), data.getUint32(at + 12)];
    return {
      tag: String.fromCharCode(...font.subarray(at, at + 4)),
      bytes: font.subarray(start, start + length),
    };
  });
}

/** Characters with their glyphs, from the widest Unicode table that the font has. */
function* charactersOf(cmap: Uint8Array): Generator<[number, number]> {
  const data = view(cmap);
  const starts = Array.from({ length: data.getUint16(2) }, (_, i) => data.getUint32(4 + 8 * i + 4));
  const wide = starts.find((start) => data.getUint16(start) === 12);
  if (wide !== undefined) {
    for (let i = 0; i < data.getUint32(wide + 12); i++) {
      const [first, last, glyph] = [0, 4, 8].map((k) => data.getUint32(wide + 16 + 12 * i + k)) as [
        number,
        number,
        number,
      ];
      for (let code = first; code <= last; code++) yield [code, glyph + code - first];
    }
    return;
  }
  const start = starts.find((at) => data.getUint16(at) === 4);
  if (start === undefined) throw new Error("the font has no Unicode characters that we can read");
  const double = data.getUint16(start + 6);
  for (let i = 0; i < double; i += 2) {
    const at = (part: number) => start + 14 + part * double + (part > 0 ? 2 : 0) + i;
    const [last, first, delta, offset] = [0, 1, 2, 3].map((part) => data.getUint16(at(part))) as [
      number,
      number,
      number,
      number,
    ];
    for (let code = first; code <= last && code < 0xffff; code++) {
      const glyph = offset === 0 ? code : data.getUint16(at(3) + offset + 2 * (code - first));
      if (glyph !== 0) yield [code, (glyph + delta) & 0xffff];
    }
  }
}

function outlinesOf(tables: ReadonlyMap<string, Uint8Array>): Uint8Array[] {
  const [head, loca, glyf] = ["head", "loca", "glyf"].map((tag) => tables.get(tag)!) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const isLong = view(head).getInt16(50) === 1;
  const place = (i: number) => (isLong ? view(loca).getUint32(4 * i) : 2 * view(loca).getUint16(2 * i));
  const count = view(tables.get("maxp")!).getUint16(4);
  return Array.from({ length: count }, (_, i) => glyf.subarray(place(i), place(i + 1)));
}

/** The glyphs that a composite one is made of. */
function componentsOf(outline: Uint8Array): number[] {
  if (outline.length < 10 || view(outline).getInt16(0) >= 0) return [];
  const parts: number[] = [];
  for (let at = 10, flags = 0x20; (flags & 0x20) !== 0; ) {
    flags = view(outline).getUint16(at);
    parts.push(view(outline).getUint16(at + 2));
    at +=
      4 +
      ((flags & 1) !== 0 ? 4 : 2) +
      ((flags & 8) !== 0 ? 2 : (flags & 0x40) !== 0 ? 4 : (flags & 0x80) !== 0 ? 8 : 0);
  }
  return parts;
}

function packed(outlines: readonly Uint8Array[]): { glyf: Uint8Array; loca: Uint8Array } {
  const loca = new Uint8Array(4 * (outlines.length + 1));
  let end = 0;
  for (const [i, outline] of outlines.entries()) {
    end += (outline.length + 3) & ~3;
    view(loca).setUint32(4 * (i + 1), end);
  }
  const glyf = new Uint8Array(end);
  for (const [i, outline] of outlines.entries()) glyf.set(outline, view(loca).getUint32(4 * i));
  return { glyf, loca };
}

function cmapOf(characters: readonly (readonly [number, number])[]): Uint8Array {
  const cmap = new Uint8Array(12 + 16 + 12 * characters.length);
  const data = view(cmap);
  data.setUint16(2, 1);
  for (const [at, value] of [
    [4, 3],
    [6, 10],
  ] as const)
    data.setUint16(at, value);
  data.setUint32(8, 12);
  data.setUint16(12, 12);
  for (const [at, value] of [
    [16, 16 + 12 * characters.length],
    [24, characters.length],
  ] as const)
    data.setUint32(at, value);
  for (const [i, [code, glyph]] of characters.entries()) {
    for (const [k, value] of [code, code, glyph].entries()) data.setUint32(28 + 12 * i + 4 * k, value);
  }
  return cmap;
}

function fontOf(tables: readonly Table[]): Uint8Array {
  const sorted = tables.toSorted((a, b) => (a.tag < b.tag ? -1 : 1));
  const starts: number[] = [];
  let end = 12 + 16 * sorted.length;
  for (const { bytes } of sorted) {
    starts.push(end);
    end += (bytes.length + 3) & ~3;
  }
  const font = new Uint8Array(end);
  const data = view(font);
  data.setUint32(0, 0x00010000);
  data.setUint16(4, sorted.length);
  for (const [i, { tag, bytes }] of sorted.entries()) {
    const at = 12 + 16 * i;
    for (let k = 0; k < 4; k++) font[at + k] = tag.charCodeAt(k);
    data.setUint32(at + 8, starts[i]!);
    data.setUint32(at + 12, bytes.length);
    font.set(bytes, starts[i]!);
  }
  return font;
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
