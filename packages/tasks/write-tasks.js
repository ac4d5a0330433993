// Writes the tasks that ship, a folder each: the build calls it for dist/tasks. README.md says what is in a folder.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const here = fileURLToPath(new URL(".", import.meta.url));
/** Cases that a page and a report state of each rule, and those that grade. */
const SHOWN_CASES = 6;
const MOST_CASES = 14;

/** Writes every task into a folder, and leaves nothing else in it. */
export function writeTasks(dir) {
  const files = new Map([["README.md", readFileSync(join(here, "README.md"), "utf8")]]);
  for (const name of readdirSync(here).filter((file) => file.endsWith(".yaml"))) {
    const domain = parse(readFileSync(join(here, name), "utf8"));
    for (const [id, task] of Object.entries(domain.tasks))
      for (const [path, text] of taskFiles({ id, ...task }, domain)) files.set(`${id}/${path}`, text);
  }
  mkdirSync(dir, { recursive: true });
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isDirectory() && !files.has(path.slice(dir.length + 1))) rmSync(path);
  }
  for (const [path, text] of files) writeIfNew(join(dir, path), text);
}

/** A test that reads a task while another build begins never sees half of a file. */
function writeIfNew(path, text) {
  try {
    if (readFileSync(path, "utf8") === text) return;
  } catch {
    mkdirSync(dirname(path), { recursive: true });
  }
  writeFileSync(path, text);
}

/** Every file of a task by its path in the task's folder. */
function taskFiles({ id, level, areas, mistakes }, { about, rules }) {
  const right = Object.keys(rules)
    .filter((area) => areas.includes(area))
    .flatMap((area) => Object.entries(rules[area]).map(([name, rule]) => readRule(name, area, rule)));
  const repo = new Map([
    ["README.md", readme(id, about, areas)],
    ["package.json", packageJson(id)],
  ]);
  const hunks = [];
  for (const rule of right) {
    const isWrong = rule.name in mistakes;
    const wrong = { ...rule, ...mistakes[rule.name] };
    repo.set(`docs/${rule.path}.md`, page(rule, about));
    repo.set(`src/${rule.path}.js`, code(wrong));
    if (isWrong) hunks.push(patch(`src/${rule.path}.js`, code(wrong), code(rule)));
  }
  const wrongRules = right.filter(({ name }) => name in mistakes);
  if (level === "small") {
    const first = right.map(({ cases, ...rule }) => ({ ...rule, cases: cases.slice(0, 1) }));
    repo.set("test/run.js", checks(right, [...first, ...wrongRules]));
  } else {
    const rulesOf = (area) => right.filter((rule) => rule.area === area);
    for (const area of areas) repo.set(`src/${area}/${area}-report.js`, areaReport(area, rulesOf(area)));
    repo.set("src/monthly-report.js", monthlyReport(areas));
    repo.set("test/run.js", digestTest(areas.flatMap(rulesOf)));
  }
  return [
    ["task.json", taskJson(id, level, wrongRules.length)],
    ["reference.patch", hunks.sort().join("")],
    ["check/run.js", questions(right)],
    ["check/answers.json", answers(right)],
    ...[...repo].map(([path, text]) => [`repo/${path}`, text]),
  ];
}

/** A rule as the code follows it, with the cases that tell right code from wrong. */
function readRule(name, area, rule) {
  const file = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).replaceAll("_", "-");
  const own = {
    ...rule,
    name,
    area,
    path: `${area}/${file.toLowerCase()}`,
    params: Object.keys(rule.of ?? {}),
  };
  if (rule.value !== undefined) return { ...own, cases: [{ args: null, answer: rule.value }] };
  // The rules are this folder's own; the code that they make is what a task ships.
  const follow = new Function(...own.params, body(own));
  const cases = [...nearby(Object.values(rule.of)), ...(rule.also ?? [])]
    .map((args) => ({ args, answer: follow(...args) }))
    .filter(({ answer }) => answer !== Number.POSITIVE_INFINITY)
    .slice(0, MOST_CASES);
  return { ...own, cases };
}

/** Some arguments, and those that differ in one: a little less and more, twice, half, the other truth value. */
function nearby(args) {
  const others = args.flatMap((arg, index) => {
    const values =
      typeof arg === "number"
        ? [arg - 1, arg + 1, arg * 2, Math.floor(arg / 2)]
        : typeof arg === "boolean"
          ? [!arg]
          : [];
    return values.map((value) => args.with(index, value));
  });
  return [args, ...others];
}

function body(rule) {
  const special = rule.if ? [`  if (${rule.if}) return ${rule.then};`] : [];
  return [...special, `  return ${rule.answer};`].join("\n");
}

function code(rule) {
  const see = `${rule.what}; see docs/${rule.path}.md.`;
  const text =
    rule.value !== undefined
      ? `/** ${see} */\nconst ${rule.name} = ${rule.value};`
      : `/**
 * ${see}
${rule.params.map((param) => ` * @param {${typeof rule.of[param]}} ${param}\n`).join("")} */
function ${rule.name}(${rule.params.join(", ")}) {
${body(rule)}
}`;
  return `"use strict";\n\n${text}\n\nmodule.exports = { ${rule.name} };\n`;
}

function page(rule, about) {
  const head = `# ${rule.what}

This belongs to ${rule.area} in ${about}. The code follows the rule to the letter; where it does not, the code is wrong.
`;
  if (rule.value !== undefined) return `${head}\nThe value: \`${rule.name} = ${rule.value}\`.\n`;
  const answer = rule.if
    ? `there is a case of its own, \`if (${rule.if}) return ${rule.then}\`; otherwise \`return ${rule.answer}\``
    : `the answer is \`return ${rule.answer}\``;
  const row = (cells) => `| ${cells.join(" | ")} |\n`;
  const columns = [...rule.params, "answer"];
  return `${head}
For \`${rule.name}(${rule.params.join(", ")})\` ${answer}.

Some cases as they were agreed on:

${row(columns)}${row(columns.map(() => "---"))}${rule.cases
  .slice(0, SHOWN_CASES)
  .map(({ args, answer }) => row([...args, rounded(answer)]))
  .join("")}`;
}

function rounded(value) {
  return typeof value === "number" ? Math.round(value * 1e6) / 1e6 : value;
}

/** Tests of single functions: of the code of all rules, on the cases of some. */
function checks(all, tested) {
  const line = ({ name }, { args, answer }) =>
    args === null
      ? `check("${name}", () => assert.strictEqual(all.${name}, ${answer}));\n`
      : `check("${name}(${args.join(", ")})", () => same(all.${call(name, args)}, ${JSON.stringify(answer)}));\n`;
  return `"use strict";

const assert = require("node:assert");
const all = {
${all.map(({ path }) => `  ...require("../src/${path}.js"),\n`).join("")}};

let failures = 0;
function check(name, body) {
  try {
    body();
  } catch (error) {
    failures++;
    console.log("FAIL " + name + ": " + error.message.split("\\n")[0]);
  }
}
function same(got, wanted) {
  if (typeof wanted === "number" && Math.abs(got - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted))) return;
  assert.ok(Object.is(got, wanted), "expected " + wanted + ", got " + got);
}

${tested.flatMap((rule) => rule.cases.map((one) => line(rule, one))).join("")}
console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
`;
}

/** The check reports what the code answers to every case; what is right is no file of the copy that it runs in. */
function questions(rules) {
  const line = ({ name }, { args }) => `ask(() => all.${args === null ? name : call(name, args)});\n`;
  return `"use strict";

const { report } = require("../.assay/proof.cjs");
const all = {
${rules.map(({ path }) => `  ...require("../src/${path}.js"),\n`).join("")}};

const got = [];
function ask(body) {
  try {
    const answer = body();
    got.push(typeof answer === "number" && !Number.isFinite(answer) ? String(answer) : answer);
  } catch (error) {
    got.push({ error: String(error) });
  }
}

${rules.flatMap((rule) => rule.cases.map((one) => line(rule, one))).join("")}
report(got);
`;
}

function answers(rules) {
  return `${JSON.stringify(rules.flatMap(({ cases }) => cases.map(({ answer }) => answer)))}\n`;
}

/** The test of medium and long tasks, which does not say where the mistake is. */
function digestTest(rules) {
  const figures = rules.flatMap(({ cases }) => cases.slice(0, SHOWN_CASES).map(({ answer }) => answer));
  let sum = 7;
  for (const character of JSON.stringify(figures)) sum = (sum * 31 + character.charCodeAt(0)) % 1000003;
  return `"use strict";

const { monthlyReport } = require("../src/monthly-report.js");

/** One number that stands for all figures. */
function digest(figures) {
  let sum = 7;
  for (const character of JSON.stringify(figures)) sum = (sum * 31 + character.charCodeAt(0)) % 1000003;
  return sum;
}

/** Of a report in which every rule of docs/ is followed. */
const EXPECTED = ${sum};

const got = digest(monthlyReport());
if (got === EXPECTED) console.log("all tests passed");
else {
  console.log("FAIL monthlyReport(): expected digest " + EXPECTED + ", got " + got);
  process.exitCode = 1;
}
`;
}

function areaReport(area, rules) {
  const figures = rules.flatMap(({ name, cases }) =>
    cases.slice(0, SHOWN_CASES).map(({ args }) => `    ${args === null ? name : call(name, args)},\n`),
  );
  return `"use strict";

${rules.map(({ name, path }) => `const { ${name} } = require("./${path.split("/")[1]}.js");\n`).join("")}
/** The figures of ${area} in the monthly report. */
function ${area}Report() {
  return [
${figures.join("")}  ];
}

module.exports = { ${area}Report };
`;
}

function monthlyReport(areas) {
  return `"use strict";

${areas.map((area) => `const { ${area}Report } = require("./${area}/${area}-report.js");\n`).join("")}
/** Every figure of the month, in order. */
function monthlyReport() {
  return [${areas.map((area) => `...${area}Report()`).join(", ")}];
}

module.exports = { monthlyReport };
`;
}

function call(name, args) {
  return `${name}(${args.map((arg) => JSON.stringify(arg)).join(", ")})`;
}

/** A unified diff of two texts that differ in one place, with three lines around it. */
function patch(path, before, after) {
  const [old, now] = [before, after].map((text) => text.trimEnd().split("\n"));
  const start = old.findIndex((line, index) => line !== now[index]);
  const removed = old.length < now.length ? 0 : 1;
  const from = Math.max(0, start - 3);
  const tail = old.slice(start + removed, start + removed + 3);
  const size = start - from + tail.length;
  return `--- a/${path}
+++ b/${path}
@@ -${from + 1},${size + removed} +${from + 1},${size + 1} @@
${[
  ...old.slice(from, start).map((line) => ` ${line}\n`),
  ...(removed ? [`-${old[start]}\n`] : []),
  `+${now[start]}\n`,
  ...tail.map((line) => ` ${line}\n`),
].join("")}`;
}

function readme(id, about, areas) {
  return `# ${id}

Software of ${about}: ${areas.join(", ")}. Each function stands in a file of its own, src/AREA/NAME.js, and the rule that it follows on a page of its own, docs/AREA/NAME.md.
`;
}

function packageJson(name) {
  const text = { name, private: true, type: "commonjs", scripts: { test: "node test/run.js" } };
  return `${JSON.stringify(text, null, 2)}\n`;
}

function taskJson(id, level, mistakes) {
  const test = "node test/run.js";
  const places = mistakes === 1 ? "one place" : `${mistakes} places`;
  const instruction =
    level === "small"
      ? `The code in src/ deviates from the pages in docs/ in ${places}. Run the tests with \`${test}\`: they fail. The rules in docs/ are right. Mend the code so that the tests pass, and submit. Leave docs/ and test/ as they are.`
      : `The monthly report is wrong since the last release. Run the tests with \`${test}\`: they fail, and do not say where. The rules in docs/ are right; somewhere in src/ the code deviates from them${mistakes > 1 ? ", in more than one place" : ""}. Find every deviation, mend it, and submit. Leave docs/ and test/ as they are.`;
  const text = { id, level, instruction, test, check: "node check/run.js", passes: "all tests passed" };
  return `${JSON.stringify(text, null, 2)}\n`;
}
