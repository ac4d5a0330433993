/** What an agent did as people would write it: our own files name a tool and give its input as JSON. */
export function actionText(action: string): string {
  return action.split("\n").map(callText).join("\n");
}

function callText(line: string): string {
  const [, tool, json] = /^(\w+) (\{.*\})$/.exec(line) ?? [];
  if (tool === undefined || json === undefined) return line;
  let input: Record<string, unknown>;
  try {
    input = JSON.parse(json);
  } catch {
    return line;
  }
  const { command, path, old, new: now, ...rest } = input;
  const isAll = Object.keys(rest).length === 0;
  if (isAll && typeof command === "string") return `${tool}: ${command}`;
  if (isAll && typeof old === "string" && typeof now === "string")
    return [`${tool} ${path}`, marked(old, "- "), marked(now, "+ ")].filter(Boolean).join("\n");
  return [tool, ...Object.entries(input).map(([name, value]) => `${name}=${shown(value)}`)].join(" ");
}

function marked(text: string, mark: string): string {
  return text === "" ? "" : text.replaceAll(/^/gm, mark);
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
