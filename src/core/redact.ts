const SECRET_NAME = /(KEY|TOKEN|SECRET|PASS(WORD|WD|PHRASE)?|CREDENTIAL|AUTH|COOKIE|DSN)S?($|_)/i;
const NOT_SECRET = new Set(["SSH_AUTH_SOCK", "XAUTHORITY", "GPG_TTY"]);
const SHORTEST = 8;
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;

/** Takes secrets out of what is about to be written. */
export interface Redactor {
  text(text: string): string;
  /** The same for JSON, also several of them: what stands for a secret would break a number that contains its digits. */
  json(text: string): string;
  /** Every form in which a secret may appear; empty when there is nothing to hide. */
  needles: readonly { needle: string; replacement: string }[];
}

/**
 * Knows the values of environment variables whose names say that they are secret, also as they look inside
 * JSON and in URLs. Values under eight characters are passed over: hiding those would garble ordinary text.
 */
export function createRedactor(env: Record<string, string | undefined>): Redactor {
  const needles: { needle: string; replacement: string }[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!value || value.length < SHORTEST || NOT_SECRET.has(name) || !SECRET_NAME.test(name)) continue;
    const inJson = escaped(value);
    const forms = new Set([value, inJson, escaped(inJson), encodeURIComponent(wellFormed(value))]);
    for (const needle of forms) needles.push({ needle, replacement: `[secret ${name}]` });
  }
  needles.sort((a, b) => b.needle.length - a.needle.length);
  return {
    needles,
    text: (text) => hide(text, needles),
    json: (text) =>
      needles.some(({ needle }) => text.includes(needle))
        ? text.replaceAll(JSON_STRING, (literal) => hide(literal, needles))
        : text,
  };
}

/** Replaces what needles cover. Where several overlap, all of it goes: no part of any of them stays. */
export function hide(text: string, needles: Redactor["needles"]): string {
  const covered: { start: number; end: number; replacement: string }[] = [];
  for (const { needle, replacement } of needles) {
    for (let start = text.indexOf(needle); start >= 0; start = text.indexOf(needle, start + 1))
      covered.push({ start, end: start + needle.length, replacement });
  }
  if (covered.length === 0) return text;
  covered.sort((a, b) => a.start - b.start || b.end - a.end);
  let clean = "";
  let at = 0;
  for (const { start, end, replacement } of covered) {
    if (start >= at) clean += text.slice(at, start) + replacement;
    at = Math.max(at, end);
  }
  return clean + text.slice(at);
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** encodeURIComponent throws on half of a surrogate pair. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}
