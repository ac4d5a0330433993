import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { root } from "../support/doc-pages.ts";
import { missingModules, python, whyNot } from "../support/python-packages.ts";

const page = readFileSync(join(root, "docs/notebooks.md"), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map((match) => match[1]!);
const missing = missingModules(["pandas", "polars", "duckdb"]);

describe("the recipes for notebooks", () => {
  const dir = mkdtempSync(join(tmpdir(), "assay-notebooks-"));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const env = { ...process.env, PATH: `${dir}/bin${delimiter}${process.env.PATH}` };
  const assay = `#!/bin/sh\nexec "${process.execPath}" "${join(root, "bin/assay.js")}" "$@"\n`;

  test.skipIf(missing.length > 0)(`run from top to bottom, and agree${whyNot(missing)}`, () => {
    execFileSync("mkdir", ["-p", `${dir}/bin`]);
    writeFileSync(`${dir}/bin/assay`, assay, { mode: 0o755 });
    execFileSync("bash", ["-ec", blocks("sh").join("\n")], { cwd: dir, env });
    const told = `${blocks("python").join("\n")}
import json
print(json.dumps({
    "pandas": by_arm["mean"].to_dict(),
    "polars": dict(zip(means["arm"], means["loss"])),
    "pairs": int(difference["count"]),
    "last": curves.iloc[-1].to_dict(),
    "rows": len(table.fetchall()),
    "steps": steps,
    "types": {name: str(kind) for name, kind in good.dtypes.items()},
}))`;
    const lines = execFileSync(python, ["-c", told], { cwd: dir, env, encoding: "utf8" }).trim().split("\n");
    const { pandas, polars, pairs, last, rows, steps, types } = JSON.parse(lines.at(-1)!);
    expect(lines[0]).toBe("['variant'] baseline seed");
    expect(Object.keys(pandas).sort()).toEqual(["baseline", "warm"]);
    for (const arm of ["baseline", "warm"]) {
      expect(polars[arm]).toBeCloseTo(pandas[arm], 12);
      expect(last[arm]).toBeCloseTo(pandas[arm], 12);
    }
    expect({ pairs, rows, steps }).toEqual({ pairs: 10, rows: 4, steps: 400 });
    expect(types).toMatchObject({ rate: "float64", loss: "float64", seed: "int64", repeat: "int64" });
  });
});
