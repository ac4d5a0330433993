import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** A content security policy that lets the page's own script and style work, and nothing else: no network, no forms. */
export function pagePolicy({
  scripts,
  styles,
}: {
  scripts: readonly string[];
  styles: readonly string[];
}): string {
  const hashes = (texts: readonly string[]) => texts.map((text) => `'${hashOf(text)}'`).join(" ") || "'none'";
  return [
    "default-src 'none'",
    `script-src ${hashes(scripts)}`,
    `style-src ${hashes(styles)}`,
    "img-src data:",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  const bytes = sha256(utf8ToBytes(text));
  return `sha256-${btoa(String.fromCharCode(...bytes))}`;
}
