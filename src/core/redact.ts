const SECRET_NAME =
  /(KEY|TOKEN|SECRET|PASS(WORD|WD|PHRASE|CODE)?|CREDENTIAL|CRED|AUTH|COOKIE|DSN|JWT|WEBHOOK)S?($|_)|(^|_)(PAT|PWD|PW|PSK|SIG|SIGNATURE)S?($|_)/i;
const NOT_SECRET = new Set(["SSH_AUTH_SOCK", "XAUTHORITY", "GPG_TTY", "PWD"]);
const SHORTEST = 8;
/** A user's name in a URL, without a password, may be a token; one that is this short is a name. */
const SHORTEST_TOKEN = 20;

/** How the warning of a run begins whose files could not all be cleaned. */
export const SECRETS_LEFT = "secrets may be left in";

/** Takes secrets out of what is about to be written. */
export interface Redactor {
  /** For words of any kind; what is JSON goes by `toJson`, or a number that looks like a secret would break it. */
  text(text: string): string;
  /** The same value without any text that holds a secret: itself where there is none. */
  value<T>(value: T): T;
  /** Such a value as JSON. */
  toJson(value: unknown, indent?: number): string;
  /** Every form in which a secret may appear; empty when there is nothing to hide. */
  needles: readonly { needle: string; replacement: string }[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Knows the values of variables whose names say that they are secret, and passwords and tokens inside of URLs, also as
 * they look inside JSON and in URLs. Values under eight characters are passed over: hiding those would garble ordinary
 * text.
 */
export function createRedactor(...environments: Variables[]): Redactor {
  const found = new Map<string, string>();
  for (const [name, value] of environments.flatMap((env) => Object.entries(env))) {
    for (const secret of secretsIn(name, value ?? "")) {
      if (secret.length < SHORTEST) continue;
      const inJson = escaped(secret);
      for (const form of [secret, inJson, escaped(inJson), encodeURIComponent(wellFormed(secret))])
        if (!found.has(form)) found.set(form, `[secret ${name}]`);
    }
  }
  const needles = [...found].map(([needle, replacement]) => ({ needle, replacement }));
  needles.sort((a, b) => b.needle.length - a.needle.length);
  const isClean = (text: string) => !needles.some(({ needle }) => text.includes(needle));
  return {
    needles,
    text: (text) => hide(text, needles),
    value: (value) => (isClean(JSON.stringify(value)) ? value : (hideInside(value, needles) as typeof value)),
    toJson: (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      return isClean(text) ? text : JSON.stringify(hideInside(value, needles), null, indent);
    },
  };
}

function secretsIn(name: string, value: string): string[] {
  const inside = secretsInUrl(value);
  // A folder, whatever its variable is called.
  const isPath = /PWD$/i.test(name) && value.startsWith("/");
  const isSecret = inside.length > 0 || (SECRET_NAME.test(name) && !NOT_SECRET.has(name) && !isPath);
  return isSecret ? [value, ...inside] : [];
}

/** Passwords and tokens in `scheme://user:password@host/?token=...`, as they stand there and decoded. */
function secretsInUrl(value: string): string[] {
  const found: string[] = [];
  const [, userInfo] = /^[a-z][\w+.:-]*:\/\/([^/?#\s]*)@/i.exec(value) ?? [];
  if (userInfo !== undefined) {
    const colon = userInfo.indexOf(":");
    if (colon >= 0) found.push(userInfo.slice(colon + 1), `//${userInfo}@`);
    else if (userInfo.length >= SHORTEST_TOKEN) found.push(userInfo);
  }
  if (/^[a-z][\w+.:-]*:\/\//i.test(value))
    for (const [, name, secret] of value.matchAll(/[?&;]([\w.-]+)=([^&;#\s]+)/g))
      if (SECRET_NAME.test(name!)) found.push(secret!);
  return found.flatMap((secret) => [secret, decoded(secret)]).filter((secret) => secret !== "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a study gives to runs: a number there may be a secret. One that was measured is none. */
const GIVEN = new Set(["params", "rows"]);

/** A metric may be called like a part of the study. */
function originOf(key: string): Origin {
  return GIVEN.has(key) ? "given" : key.endsWith("metrics") ? "measured" : undefined;
}

/** The digits at the end of a run's id stand for it: a part of them may look like a secret, and is none. */
const ID_KEYS = new Set(["id", "run_id"]);
const HASH_DIGITS = 12;

type Origin = "given" | "measured" | undefined;

function hideInside(value: unknown, needles: Redactor["needles"], origin?: Origin): unknown {
  if (typeof value === "string") return hide(value, needles);
  if (typeof value === "number" && origin === "given") {
    const clean = hide(String(value), needles);
    return clean === String(value) ? value : clean;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => hideInside(item, needles, origin));
  const entries = Object.entries(value).map(([key, item]) => [
    hide(key, needles),
    ID_KEYS.has(key) && typeof item === "string"
      ? hide(item.slice(0, -HASH_DIGITS), needles) + item.slice(-HASH_DIGITS)
      : hideInside(item, needles, origin ?? originOf(key)),
  ]);
  return Object.fromEntries(entries);
}

/**
 * Replaces what needles cover. Where several overlap, all of it goes: no part of any of them stays. `isKept` spares
 * what only looks like a secret.
 */
export function hide(
  text: string,
  needles: Redactor["needles"],
  isKept: (start: number, end: number) => boolean = () => false,
): string {
  const covered: { start: number; end: number; replacement: string }[] = [];
  for (const { needle, replacement } of needles) {
    for (let start = text.indexOf(needle); start >= 0; start = text.indexOf(needle, start + 1)) {
      const end = start + needle.length;
      if (!isKept(start, end)) covered.push({ start, end, replacement });
    }
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

/** Where in JSON a place is: inside a text, and right behind a backslash in it. */
export interface JsonPlace {
  isText: boolean;
  isEscaped: boolean;
}

/** The place at `end`, when that at the beginning of the text is known. */
export function jsonPlaceAt(text: string, end: number, start: JsonPlace): JsonPlace {
  // No text in JSON goes over a line's end, so its line tells.
  const lineStart = text.lastIndexOf("\n", end - 1) + 1;
  let { isText, isEscaped } = lineStart === 0 ? start : { isText: false, isEscaped: false };
  for (let at = lineStart; at < end; at++) {
    if (isEscaped) isEscaped = false;
    else if (text[at] === '"') isText = !isText;
    else isEscaped = isText && text[at] === "\\";
  }
  return { isText, isEscaped };
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** encodeURIComponent throws on half of a surrogate pair. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}
