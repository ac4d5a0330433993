export type Attributes = Record<string, string | number | undefined>;

/** One SVG element as text; children are SVG already. Attributes that are undefined are left out. */
export function element(name: string, attributes: Attributes = {}, ...children: string[]): string {
  const words = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? place(value) : escapeText(value!)}"`);
  const open = `<${name}${words.join("")}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join("")}</${name}>`;
}

/** A line of text, with characters that would be markup made harmless. */
export function textElement(content: string, attributes: Attributes = {}): string {
  return element("text", attributes, escapeText(content));
}

export function group(name: string, ...children: string[]): string {
  return element("g", { class: name }, ...children);
}

/** `M` through all points; a point that is no number breaks the line. */
export function linePath(points: readonly (readonly [number, number])[]): string {
  let path = "";
  let isOpen = false;
  for (const [x, y] of points) {
    if (Number.isFinite(x) && Number.isFinite(y)) {
      path += `${isOpen ? "L" : "M"}${place(x)},${place(y)}`;
      isOpen = true;
    } else isOpen = false;
  }
  return path;
}

/** Coordinates to a hundredth of a pixel: what can't be seen only makes files large. */
function place(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Text from data: neither markup nor characters that XML forbids. */
export function escapeText(text: string): string {
  return text
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, "�")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
