import { randomInt } from "node:crypto";

/** In the graded copy, and only while a script that has an answer runs. */
const FOLDER = ".assay";
const MARK = "ASSAY";

/**
 * What a test needs to prove that it ran to its end, and to say what it saw. Its helpers take the number, which is new for
 * each run, away before any code of the patch is loaded; what is right never enters the copy.
 */
export interface Proof {
  nonce: string;
  /** By their path in the graded copy. */
  files: Record<string, string>;
}

/** `import { report } from "./.assay/proof.mjs"` comes before the import of what is tested. */
const MODULE = `import { readFileSync, rmSync, writeSync } from "node:fs";

const place = new URL("nonce.json", import.meta.url);
const nonce = readFileSync(place, "utf8").trim();
rmSync(place);
const write = writeSync;
const { stringify } = JSON;

/** Says what was seen. Call it once, at the end. */
export function report(value) {
  write(1, \`\\n${MARK} \${nonce} \${stringify(value)}\\n\`);
}
`;

/** The same for `require("../.assay/proof.cjs")`, also in the sandbox `memory`, which has no files to take away. */
const COMMON_MODULE = `const nonce = require("./nonce.json");
if (require.resolve) {
  const place = require.resolve("./nonce.json");
  delete require.cache[place];
  require("node:fs").rmSync(place);
}
const { log } = console;
const { stringify } = JSON;
module.exports = { report: (value) => log("\\n${MARK} " + nonce + " " + stringify(value)) };
`;

/** `. .assay/proof.sh`, then `report TEXT` at the end. */
const SHELL = `read -r proof_nonce < ${FOLDER}/nonce.json
rm ${FOLDER}/nonce.json
report() {
  printf '%s\\n' "$1" | while IFS= read -r proof_line; do printf '${MARK} %s %s\\n' "$proof_nonce" "$proof_line"; done
}
`;

export function makeProof(): Proof {
  const nonce = String(randomInt(2 ** 47, 2 ** 48 - 1));
  const files = {
    "nonce.json": `${nonce}\n`,
    "proof.mjs": MODULE,
    "proof.cjs": COMMON_MODULE,
    "proof.sh": SHELL,
  };
  return {
    nonce,
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [`${FOLDER}/${name}`, text])),
  };
}

/** What was reported with the proof; undefined where nothing was. */
export function readReport(output: string, { nonce }: Proof): string | undefined {
  const mark = `${MARK} ${nonce} `;
  const lines = output.split("\n").filter((line) => line.startsWith(mark));
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(mark.length)).join("\n");
}

/** Where a report differs from the answer, in words; undefined where it doesn't. A text is compared as it is. */
export function differenceOf(report: string, answer: unknown): string | undefined {
  if (typeof answer === "string") return report === answer ? undefined : differ(report, answer, "");
  let got: unknown;
  try {
    got = JSON.parse(report);
  } catch {
    return "it reported no JSON";
  }
  return compare(got, answer, "");
}

/** Numbers may differ by rounding alone. */
const TOLERANCE = 1e-9;

function compare(got: unknown, wanted: unknown, path: string): string | undefined {
  if (typeof wanted === "number" && typeof got === "number") {
    const isNear = Math.abs(got - wanted) <= TOLERANCE * Math.max(1, Math.abs(wanted));
    return isNear ? undefined : differ(got, wanted, path);
  }
  if (!isTree(wanted) || !isTree(got)) return got === wanted ? undefined : differ(got, wanted, path);
  if (Array.isArray(wanted) !== Array.isArray(got)) return differ(got, wanted, path);
  const keys = new Set([...Object.keys(wanted), ...Object.keys(got)]);
  for (const key of keys) {
    const below = path === "" ? key : `${path}.${key}`;
    const isInBoth = Object.hasOwn(wanted, key) && Object.hasOwn(got, key);
    const found = isInBoth ? compare(got[key], wanted[key], below) : differ(got[key], wanted[key], below);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

const MOST_CHARACTERS = 100;

function differ(got: unknown, wanted: unknown, path: string): string {
  const shown = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, MOST_CHARACTERS);
  return `${path === "" ? "" : `${path}: `}expected ${shown(wanted)}, got ${shown(got)}`;
}
