import { describe, expect, test } from "vitest";
import { currentRecords } from "../../src/archive/read-records.ts";
import { aProvider } from "../support/a-provider.ts";
import { assayPath, Launched } from "../support/launch.ts";
import { missingModules, python, whyNot } from "../support/python-packages.ts";
import { TempFolder } from "../support/temp-folder.ts";

/** Each vendor's own package, told nothing but its model: address and key come from the environment. */
const PROGRAM = `
import assay, os
os.environ.pop("GOOGLE_API_KEY", None)
vendor = assay.task()
if vendor == "openai":
    from openai import OpenAI
    said = OpenAI().chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": "Hello"}])
    text = said.choices[0].message.content
elif vendor == "openai-stream":
    from openai import OpenAI
    events = OpenAI().responses.create(model="gpt-4o-mini", input="Hello", stream=True)
    text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
elif vendor == "anthropic":
    from anthropic import Anthropic
    said = Anthropic().messages.create(model="claude-sonnet-4-0", max_tokens=100, messages=[{"role": "user", "content": "Hello"}])
    text = said.content[0].text
else:
    from google import genai
    client = genai.Client()
    text = client.models.generate_content(model="gemini-2.5-flash", contents="Hello").text
assay.metrics(letters=len(text))
`;
const STUDY = `study: vendors
target: {command: [${python}, ask.py]}
tasks: [openai, openai-stream, anthropic, google]
models: {cache: true}
`;

const missing = missingModules(["openai", "anthropic", "google.genai"]);
describe.skipIf(missing.length > 0)(`the vendors' own packages behind models:${whyNot(missing)}`, () => {
  test("find the gateway by their environment, and are metered and paid there", async () => {
    using folder = new TempFolder({ "study.yaml": STUDY, "ask.py": PROGRAM });
    await using provider = await aProvider("true", (call) => (call <= 2 ? 529 : undefined));
    const run = new Launched([process.execPath, assayPath, "run", "study.yaml", "--no-report"], {
      cwd: folder.path,
      env: {
        ...process.env,
        ...{ OPENAI_API_KEY: "sk-real", ANTHROPIC_API_KEY: "sk-ant-real", GEMINI_API_KEY: "g-real" },
        ...{ OPENAI_BASE_URL: provider.url, ANTHROPIC_BASE_URL: provider.url },
        GOOGLE_GEMINI_BASE_URL: provider.url,
      },
    });
    const { code, stdout, stderr } = await run.ended;
    expect(code, stdout + stderr).toBe(0);
    const records = currentRecords(`${folder.path}/bench_runs/vendors`);
    expect(records.map(({ task }) => task).sort()).toEqual([
      "anthropic",
      "google",
      "openai",
      "openai-stream",
    ]);
    for (const { metrics, costUsd } of records) {
      expect(metrics).toMatchObject({ letters: 5, tokens_input: 600, tokens_cached: 400 });
      expect(costUsd).toBeGreaterThan(0);
    }
    const keys = provider.requests.map(
      ({ headers }) => headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers.authorization,
    );
    expect(new Set(keys)).toEqual(new Set(["Bearer sk-real", "sk-ant-real", "g-real"]));
  });
});
