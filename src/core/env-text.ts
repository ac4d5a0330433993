const LINE = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(.*?))\s*(?:\s#.*)?$/;

/** `NAME=value` lines: quotes, `export` and comments as shells have them; nothing is expanded. */
export function parseEnvText(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const found = LINE.exec(line);
    if (!found) continue;
    const [, name, double, single, bare] = found;
    values.set(
      name!,
      double?.replaceAll(/\\(.)/g, (_, c: string) => (c === "n" ? "\n" : c)) ?? single ?? bare ?? "",
    );
  }
  return values;
}
