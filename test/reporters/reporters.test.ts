import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { failed } from "../../src/core/run.ts";
import { drawChart } from "../../src/plots/draw-chart.ts";
import { reporters } from "../../src/reporters/index.ts";
import type { Report } from "../../src/reporters/reporter.ts";
import { aReport } from "../support/a-report.ts";
import { aRecord, aStudy, aStudyFile, axis } from "../support/a-study.ts";

const EVIL =
  "</script><img src=x onerror=alert(1)> \"'& | ` [x](javascript:alert(1))\n\r# x \u0000\u0008\u001b[31m\u2028 ${x} \ud800 ]]>";

function render(report = hostile()): Record<string, string> {
  const files = Object.values(reporters).flatMap((reporter) => reporter.render(report));
  return Object.fromEntries(files.map(({ path, content }) => [path, content]));
}

/** A report in which every name and text is hostile: a folder may be copied from anywhere. */
function hostile(): Report {
  const variants = [EVIL, "b"].map((name) => ({ name, params: {}, flags: [] }));
  const study = aStudy({
    ...{ axes: [axis(EVIL, EVIL, 2)], variants, question: EVIL },
    analysis: { metric: EVIL, goal: "minimize" },
  });
  const file = aStudyFile({
    ...{ name: EVIL, program: EVIL, study, total: 4 },
    spec: { path: EVIL, dialect: EVIL, hash: EVIL, text: EVIL },
    environment: { cpu: EVIL, cores: EVIL, os: EVIL, node: EVIL },
    git: { commit: EVIL, branch: EVIL, dirty: true },
    launches: [{ at: EVIL, command: EVIL, specHash: "", program: EVIL, plan: "p" }],
  });
  const params = JSON.parse(`{"__proto__": 1, ${JSON.stringify(EVIL)}: ${JSON.stringify(EVIL)}}`);
  const record = aRecord({ id: EVIL, params, variant: EVIL, metrics: { [EVIL]: 1, constructor: 2 } });
  const other = { ...record, id: "__proto__", params: { ...params, [EVIL]: 2 }, seed: 2 };
  const failure = { ...record, id: "c", variant: "b", outcome: failed(EVIL as never, EVIL) };
  return aReport(file, [record, other, failure], {
    answer: { sentence: EVIL, method: EVIL, others: [EVIL] },
    detail: { stdout: { text: EVIL, bytes: 1, isCut: false }, labels: { [EVIL]: EVIL } },
  });
}

describe("reports in HTML", () => {
  const page = render()["index.html"]!;

  test("have no markup from the data, neither in the words nor in the embedded data", () => {
    expect(page).toContain("onerror=alert(1)");
    expect(page).not.toContain("<img");
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script>/g)).toHaveLength(2);
    expect(page).not.toContain("<!--");
    expect(page).not.toMatch(/<[a-z]+[^>]*\son[a-z]+\s*=/i);
    expect(page.match(/&#60;img/g)!.length).toBeGreaterThan(10);
    expect(page.match(/\\u003cimg/g)!.length).toBeGreaterThan(10);
  });

  test("allow by hash their own script and style and nothing else", () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!;
    const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    const script = /<script>([\s\S]*?)<\/script>/.exec(page)![1]!;
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)![1]!;
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      "img-src data:",
      "connect-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(page).not.toMatch(/\b(src|href)\s*=\s*["']?(https?:)?\/\//);
    expect(page).not.toMatch(/<[^>]*\sstyle\s*=/);
  });

  test("keep the data as it was, through the page", () => {
    const text = /id="assay-data" data-encoding="plain">([\s\S]*?)<\/script>/.exec(page)![1]!;
    const data = JSON.parse(text);
    expect(data.view.name).toBe(EVIL);
    expect(data.details[EVIL].stdout.text).toBe(EVIL);
    expect(Object.keys(data.details)).toContain("__proto__");
    expect(data).toEqual(JSON.parse(hostile().encoded.data.text));
  });

  test("say the answer, the doubts and the cells without scripts too", () => {
    const plain = /<noscript>([\s\S]*?)<\/noscript>/.exec(page)![1]!;
    expect(plain).toContain("Mind: 1 of 3 runs failed");
    expect(plain).toContain("<table>");
    expect(plain.match(/<tr>/g)).toHaveLength(4);
  });
});

describe("reports in Markdown", () => {
  test("have no markup and no new lines from the data", () => {
    const page = render()["report.md"]!;
    const outside = page.replaceAll(/^ {4}.*$/gm, "");
    expect(outside).not.toMatch(/(^|[^\\])<img/);
    expect(outside).not.toMatch(/(^|[^\\!])\[x(\]|\\\])\(/);
    expect(page).not.toMatch(/^# x/m);
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    const table = page.split("\n").filter((line) => line.startsWith("| "));
    const widths = table.map((line) => line.match(/(?<!\\)\|/g)!.length);
    expect(new Set(widths).size).toBe(1);
  });

  test("open with the question, the answer, the counts and what to mind, and say unknown where nothing is known", () => {
    const study = aStudy({ axes: [axis("n", 1)], question: "Which is faster?" });
    const records = [aRecord({ params: { n: 1 }, metrics: { x: null } })];
    const answer = {
      sentence: "a beats b by 3 % [2, 4].",
      status: "exploratory" as const,
      others: ["c is like b."],
    };
    const page = render(aReport(aStudyFile({ study, total: 2 }), records, { answer }))["report.md"]!;
    expect(page).toContain(
      "# example\n\nWhich is faster?\n\n**a beats b by 3 % \\[2, 4\\].** _(exploratory)_\n\n- c is like b.\n\n1 of 2 runs succeeded, 0 failed, 1 not done.\n",
    );
    expect(page).toContain("> [!WARNING]\n> - At most 1 run per cell");
    expect(page).toMatch(/> \[!NOTE\]\n> - 1 of 2 planned runs have not been done yet\./);
    expect(page).toContain("| 1 | 1 | 0 | unknown |");
    expect(page).toContain("<details>\n<summary>How this was made, and how to reproduce it</summary>");
  });

  test("lead with what the target calls its results, before all cells and other tables", () => {
    const study = aStudy({ axes: [axis("n", 1)] });
    const report = aReport(aStudyFile({ study }), [aRecord({ params: { n: 1 }, metrics: { x: 1 } })]);
    const table = { header: ["profile", "mixed"], rows: [["safe", "12"]] };
    const tables = [
      { ...table, title: "by task" },
      { ...table, title: "by profile", isResult: true as const },
    ];
    const page = render({ ...report, data: { ...report.data, view: { ...report.data.view, tables } } })[
      "report.md"
    ]!;
    const titles = [...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(titles.slice(0, 3)).toEqual(["by profile", "Cells", "by task"]);
  });

  test("show the pictures by relative links", () => {
    const study = aStudy({ axes: [axis("n", 1, 2)] });
    const records = [1, 2].flatMap((n) =>
      [1, 2].map((seed) => aRecord({ params: { n }, seed, metrics: { x: n + seed } })),
    );
    expect(render(aReport(aStudyFile({ study }), records))["report.md"]).toMatch(
      /!\[[^\]]+\]\(assets\/x_by_n\.png\)/,
    );
  });

  test("show a value that is a list or has names as what it is", () => {
    const study = aStudy({ axes: [axis("net", { depth: 2 })] });
    const files = render(aReport(aStudyFile({ study }), [aRecord({ params: { net: { depth: 2 } } })]));
    expect(files["index.html"]).not.toContain("[object Object]");
    expect(files["report.md"]).toContain('{"depth":2}');
  });
});

describe("reports in JSON", () => {
  test("say the same for programs", () => {
    expect(JSON.parse(render()["report.json"]!)).toMatchObject({
      ...{ name: EVIL, runs: 3, goal: null },
      answer: { sentence: EVIL, status: "planned" },
      counts: { ok: 2, failed: 1, cancelled: 0, missing: 1 },
    });
  });
});

describe("reports in JUnit's XML", () => {
  const outcomes = [
    { status: "ok" },
    { status: "failed", owner: "agent", reason: "exit 1" },
    { status: "timeout", owner: "agent", reason: "late" },
    { status: "failed", owner: "infrastructure", reason: "no disk" },
    { status: "failed", owner: "grader", reason: "no verdict" },
    { status: "cancelled" },
    { status: "skipped" },
  ] as const;

  test("have a test case a run: failures of what is measured, errors around it, and what was not done", () => {
    const records = outcomes.map((outcome, i) => aRecord({ id: `r${i}`, outcome, params: { n: i } }));
    const xml = render(aReport(aStudyFile({ total: 7 }), records))["junit.xml"]!;
    expect(xml).toContain('tests="7" failures="2" errors="2" skipped="2" time="10.500"');
    expect(xml.match(/<testcase /g)).toHaveLength(7);
    expect(xml).toContain('<failure type="agent" message="exit 1">exit 1</failure>');
    expect(xml).toContain('<error type="grader" message="no verdict">no verdict</error>');
    expect(xml).toContain('<property name="param.n" value="3"/>');
  });

  test("are XML whatever the names are", ({ skip }) => {
    const xml = render()["junit.xml"]!;
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
    const script =
      "import sys, xml.etree.ElementTree as t; r = t.fromstring(sys.stdin.buffer.read()); print(len(r.findall('.//testcase')))";
    const parsed = spawnSync("python3", ["-c", script], { input: xml, encoding: "utf8" });
    if (parsed.error) skip("python3 is not here");
    expect(parsed.stderr).toBe("");
    expect(parsed.stdout.trim()).toBe("3");
  });
});

describe("charts of hostile names", () => {
  test.each(["file", "page"] as const)("have no markup from the data (%s)", (look) => {
    const { charts } = hostile().data.view;
    expect(charts.length).toBeGreaterThan(0);
    for (const chart of charts) {
      const svg = drawChart(chart, { look });
      expect(svg).not.toContain("<img");
      expect(svg).not.toContain("<script");
      expect(svg.replaceAll(/"[^"]*"|>[^<]*/g, "")).not.toMatch(/\sstyle=|<style|\son[a-z]+=/);
      expect(svg).not.toMatch(/[\u0000-\u0008\u000e-\u001f]/);
      expect(chart.id).toMatch(/^[A-Za-z0-9-][\w.-]*$/);
    }
  });
});
