const SECRET_NAME = /(KEY|TOKEN|SECRET|PASS(WORD|WD|PHRASE)?|CREDENTIAL|AUTH|COOKIE|DSN)S?($|_)/i;
const NOT_SECRET = new Set(["SSH_AUTH_SOCK", "XAUTHORITY", "GPG_TTY"]);
const SHORTEST = 8;

/** Takes secrets out of what is about to be written. */
export interface Redactor {
  text(text: string): string;
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
    const forms = new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
    for (const needle of forms) needles.push({ needle, replacement: `[secret ${name}]` });
  }
  // A secret that contains another one goes first, or a part of it would stay.
  needles.sort((a, b) => b.needle.length - a.needle.length);
  return {
    needles,
    text(text) {
      let clean = text;
      for (const { needle, replacement } of needles) {
        if (clean.includes(needle)) clean = clean.replaceAll(needle, () => replacement);
      }
      return clean;
    },
  };
}
