import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { findOut } from "../../src/analysis/findings.ts";
import { failed } from "../../src/core/run.ts";
import { reporters } from "../../src/reporters/index.ts";
import { aRecord, aStudy, aStudyFile, axis } from "../support/a-study.ts";

const EVIL = "</script><img src=x onerror=alert(1)> \"'& | ` [x](javascript:alert(1))\n\r# x";

function render(findings = hostile()): Record<string, string> {
  const files = reporters.flatMap((reporter) => reporter.render(findings));
  return Object.fromEntries(files.map(({ path, content }) => [path, content]));
}

/** Findings in which every name and text is hostile: a folder may be copied from anywhere. */
function hostile() {
  const variants = [EVIL, "b"].map((name) => ({ name, params: {}, flags: [] }));
  const study = aStudy({ axes: [axis(EVIL, EVIL)], variants, question: EVIL, analysis: { metric: EVIL } });
  const file = aStudyFile({
    name: EVIL,
    program: EVIL,
    study,
    total: 3,
    spec: { path: EVIL, dialect: EVIL, hash: EVIL, text: EVIL },
    environment: { cpu: EVIL, cores: EVIL, os: EVIL, node: EVIL },
    git: { commit: EVIL, branch: EVIL, dirty: true },
    launches: [{ at: EVIL, command: EVIL, specHash: "", program: EVIL, plan: "p" }],
  });
  const record = aRecord({ id: EVIL, params: { [EVIL]: EVIL }, variant: EVIL, metrics: { [EVIL]: 1 } });
  const failure = { ...record, variant: "b", outcome: failed(EVIL as never, EVIL) };
  return findOut(file, [record, failure]);
}

describe("reports", () => {
  test("in HTML have no markup from the data", () => {
    const page = render()["index.html"]!;
    expect(page).toContain("onerror=alert(1)");
    expect(page).not.toContain("<img");
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(page).not.toMatch(/<[a-z]+[^>]*\son[a-z]+\s*=/i);
    expect(page.match(/&#60;img/g)!.length).toBeGreaterThan(10);
  });

  test("in HTML forbid everything but their own script, and ask for nothing from elsewhere", () => {
    const page = render()["index.html"]!;
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("script-src 'unsafe");
    const script = /<script>([\s\S]*?)<\/script>/.exec(page)![1]!;
    expect(policy).toContain(`script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`);
    expect(page).not.toMatch(/\b(src|href)\s*=\s*["']?(https?:)?\/\//);
  });

  test("in Markdown have no markup and no new lines from the data", () => {
    const page = render()["report.md"]!;
    expect(page).not.toMatch(/(^|[^\\])<img/);
    expect(page).not.toMatch(/(^|[^\\])\[x(\]|\\\])\(/);
    expect(page).not.toMatch(/^# x/m);
    const table = page.split("\n").filter((line) => line.startsWith("| "));
    const widths = table.map((line) => line.match(/(?<!\\)\|/g)!.length);
    expect(new Set(widths).size).toBe(1);
  });

  test("in JSON say the same for programs", () => {
    expect(JSON.parse(render()["report.json"]!)).toMatchObject({
      name: EVIL,
      runs: 2,
      counts: { ok: 1, failed: 1, missing: 1 },
    });
  });

  test("open with the question, the counts and what to mind, and say unknown where nothing is known", () => {
    const study = aStudy({ axes: [axis("n", 1)], question: "Which is faster?" });
    const findings = findOut(aStudyFile({ study, total: 2 }), [
      aRecord({ params: { n: 1 }, metrics: { x: null } }),
    ]);
    const page = render(findings)["report.md"]!;
    expect(page).toContain(
      "# example\n\nWhich is faster?\n\n1 of 2 runs ended well, 0 failed, 1 not done yet.",
    );
    expect(page).toContain("> **Mind:** 1 of 2 planned runs have not been done yet.");
    expect(page).toContain("| 1 | 1 | 0 | unknown |");
  });

  test("show a value that is a list or has names as what it is", () => {
    const study = aStudy({ axes: [axis("net", { depth: 2 })] });
    const files = render(findOut(aStudyFile({ study }), [aRecord({ params: { net: { depth: 2 } } })]));
    expect(files["index.html"]).not.toContain("[object Object]");
    expect(files["report.md"]).toContain('{"depth":2}');
  });
});
