import { expect, test } from "vitest";
import { parseEnvText } from "../../src/core/env-text.ts";
import { createRedactor } from "../../src/core/redact.ts";
import { loadEnvFile } from "../../src/models/env-file.ts";
import { TempFolder } from "../support/temp-folder.ts";

test("lines are read as shells have them", () => {
  const text = `# keys
OPENAI_API_KEY=sk-plain   # the cheap one
export DEEPSEEK_API_KEY = "with \\"quotes\\" and # no comment"
ZAI_API_KEY='single $HOME'
EMPTY=
not a line
URL=http://x/#fragment
`;
  expect(Object.fromEntries(parseEnvText(text))).toEqual({
    OPENAI_API_KEY: "sk-plain",
    DEEPSEEK_API_KEY: 'with "quotes" and # no comment',
    ZAI_API_KEY: "single $HOME",
    EMPTY: "",
    URL: "http://x/#fragment",
  });
});

test("only what model providers read is taken, the environment goes first, and the redactor then knows it", async () => {
  using folder = new TempFolder();
  const path = folder.write(
    ".env",
    "OPENAI_API_KEY=from-the-file-1\nZAI_API_KEY=from-the-file-2\nDATABASE_URL=postgres://me:pw@db\n",
  );
  const env: Record<string, string> = { OPENAI_API_KEY: "from-the-shell" };
  expect(loadEnvFile(path, env)).toEqual(["ZAI_API_KEY"]);
  expect(env).toEqual({ OPENAI_API_KEY: "from-the-shell", ZAI_API_KEY: "from-the-file-2" });
  expect(createRedactor(env).text("it said from-the-file-2")).toBe("it said [secret ZAI_API_KEY]");
});

test("a file that is not there is nothing", () => {
  expect(loadEnvFile("/nowhere/.env", {})).toEqual([]);
});
