import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { root } from "../support/doc-pages.ts";
import { missingModules, python, whyNot } from "../support/python-packages.ts";

const page = readFileSync(join(root, "docs/notebooks.md"), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map((match) => match[1]!);
const missing = missingModules(["pandas", "polars", "duckdb", "pyarrow"]);

describe("the recipes for notebooks", () => {
  const dir = mkdtempSync(join(tmpdir(), "assay-notebooks-"));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const env = { ...process.env, PATH: `${dir}/bin${delimiter}${process.env.PATH}` };
  mkdirSync(`${dir}/bin`);
  const assay = `#!/bin/sh\nexec "${process.execPath}" "${join(root, "bin/assay.js")}" "$@"\n`;
  writeFileSync(`${dir}/bin/assay`, assay, { mode: 0o755 });

  test.skipIf(missing.length > 0)(`run from top to bottom, and agree${whyNot(missing)}`, () => {
    execFileSync("bash", ["-ec", blocks("sh").join("\n")], { cwd: dir, env });
    const told = `${blocks("python").join("\n")}
import json
import pyarrow.feather, pyarrow.parquet
def same(one, other):
    one.validate(full=True)
    kinds = lambda table: [str(kind).replace("large_", "") for kind in table.schema.types]
    return one.to_pylist() == other.to_pylist() and kinds(one) == kinds(other) and len(one)
print(json.dumps({
    "pandas": by_arm["mean"].to_dict(),
    "polars": dict(zip(means["arm"], means["loss"])),
    "pairs": int(difference["count"]),
    "last": curves.iloc[-1].to_dict(),
    "rows": len(table.fetchall()),
    "steps": steps,
    "arrow": same(arrow.to_arrow(), pyarrow.parquet.read_table("bench_runs/fit/aggregate/series.parquet")),
    "feather": same(pyarrow.feather.read_table("runs.feather"), pyarrow.parquet.read_table("bench_runs/fit/aggregate/runs.parquet")),
    "loss": feather["loss"].equals(study.runs["loss"]),
    "types": {name: str(kind) for name, kind in good.dtypes.items()},
}))`;
    const lines = execFileSync(python, ["-c", told], { cwd: dir, env, encoding: "utf8" }).trim().split("\n");
    const { pandas, polars, pairs, last, rows, steps, types, ...files } = JSON.parse(lines.at(-1)!);
    expect(lines[0]).toBe("['variant'] baseline seed");
    expect(Object.keys(pandas).sort()).toEqual(["baseline", "warm"]);
    for (const arm of ["baseline", "warm"]) {
      expect(polars[arm]).toBeCloseTo(pandas[arm], 12);
      expect(last[arm]).toBeCloseTo(pandas[arm], 12);
    }
    expect({ pairs, rows, steps }).toEqual({ pairs: 10, rows: 4, steps: 400 });
    expect(files).toEqual({ arrow: 400, feather: 20, loss: true });
    expect(types).toMatchObject({ rate: "float64", loss: "float64", seed: "int64", repeat: "int64" });
  });

  test.skipIf(missing.length > 0)(`and so does the example notebook${whyNot(missing)}`, () => {
    const cwd = `${dir}/example`;
    cpSync(join(root, "examples/notebook"), cwd, { recursive: true });
    execFileSync(process.execPath, [join(root, "bin/assay.js"), "run", "study.yaml", "--quiet"], {
      cwd,
      env,
    });
    const told = `exec(open("notebook.py").read())
import json
lists = assay.load("notebook", frame="dicts")
losses = {arm: [run["loss"] for run in lists.runs if run["arm"] == arm] for arm in lists.design["arms"]}
print(json.dumps({
    "means": {arm: sum(values) / len(values) for arm, values in losses.items()},
    "difference": differences["warmup"].mean(),
    "last": curves.iloc[-1].to_dict(),
    "counts": by_arm["count"].tolist(),
    "verdict": "warmup" in told.stdout,
}))`;
    const lines = execFileSync(python, ["-c", told], { cwd, env, encoding: "utf8" }).trim().split("\n");
    const { means, difference, last, counts, verdict } = JSON.parse(lines.at(-1)!);
    expect(lines[0]).toContain("<assay study 'notebook': 48 runs, arms by variant");
    expect(difference).toBeCloseTo(means.warmup - means.baseline, 12);
    expect(last.warmup).toBeCloseTo(means.warmup, 12);
    expect({ counts, verdict }).toEqual({ counts: [8, 8, 8, 8, 8, 8], verdict: true });
    expect(lines.some((line) => line === "curves.png") && existsSync(`${cwd}/curves.png`)).toBe(true);
  });
});
