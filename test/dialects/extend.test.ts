import { describe, expect, test } from "vitest";
import { studyOf } from "./source.ts";

describe("a study that extends others", () => {
  test("merges named values key by key and replaces anything else; what is nearest wins", () => {
    const { study } = studyOf({
      "study.yaml": "extends: [one.yaml, two.toml]\nparams: {c: 3}\nseeds: [9]",
      "one.yaml": "target: noop\nparams: {a: 1, b: 1, deep: {x: 1, y: 1}}\nseeds: [1, 2, 3]",
      "two.toml": "extends = 'zero.json'\nparams = {b = 2, deep = {y = 2}}",
      "zero.json": '{"params": {"b": 0, "c": 0, "d": 0}, "matrix": {"n": [1, 2]}}',
    });
    expect(study).toMatchObject({
      name: "study",
      params: { a: 1, b: 2, c: 3, d: 0, deep: { x: 1, y: 2 } },
      seeds: [9],
      axes: [{ names: ["n"], rows: [[1], [2]] }],
    });
  });

  test("keeps paths of the base relative to the base, and its own relative to itself", () => {
    const base = "target: ./mine.ts";
    const inherited = studyOf({ "study.yaml": "extends: lib/base.yaml", "lib/base.yaml": base }).study;
    expect(inherited.target).toEqual({ kind: "file", path: "/home/me/lib/mine.ts" });
    const own = studyOf({
      "study.yaml": "extends: lib/base.yaml\ntarget: ./other.ts",
      "lib/base.yaml": base,
    }).study;
    expect(own.target).toEqual({ kind: "file", path: "/home/me/other.ts" });
  });

  test("keeps a base's folder to run in, whatever else of the target it changes", () => {
    const targetOf = (own: string, base: string) =>
      studyOf({
        "study.yaml": `extends: lib/base.yaml\ntarget: ${own}`,
        "lib/base.yaml": `target: ${base}`,
      }).study.target;
    expect(targetOf("{version: 2}", "{command: [./a.sh], cwd: code}")).toMatchObject({
      cwd: "/home/me/lib/code",
      folder: "code",
    });
    expect(targetOf("{version: 2}", "{command: [./a.sh]}")).toMatchObject({ cwd: "/home/me/lib" });
    expect(targetOf("{command: [./b.sh]}", "{command: [./a.sh], version: 2}")).toMatchObject({
      cwd: "/home/me",
    });
    expect(targetOf("{cwd: code}", "{command: [./a.sh]}")).toMatchObject({ cwd: "/home/me/code" });
  });

  test("names the file in which a mistake stands", () => {
    const files = { "study.yaml": "extends: base.yaml\nseeds: [1]", "base.yaml": "target: noop\n\nsedes: 3" };
    expect(() => studyOf(files)).toThrow('base.yaml:3:1 sedes: unknown key "sedes". Did you mean "seeds"?');
    const own = { "study.yaml": "extends: base.yaml\nsedes: 3", "base.yaml": "target: noop" };
    expect(() => studyOf(own)).toThrow("study.yaml:2:1 sedes");
    const inParams = {
      "study.yaml": "extends: base.yaml\nlimits: {retries: 1}",
      "base.yaml": "target: noop\nlimits: {grace: soon}",
    };
    expect(() => studyOf(inParams)).toThrow("base.yaml:2:10 limits.grace");
  });

  test("may reach one base in two ways, but never itself", () => {
    const diamond = {
      "study.yaml": "extends: [l.yaml, r.yaml]",
      "l.yaml": "extends: base.yaml",
      "r.yaml": "extends: base.yaml",
      "base.yaml": "target: noop",
    };
    expect(studyOf(diamond).study.target).toEqual({ kind: "named", name: "noop" });
    expect(() => studyOf({ "a.yaml": "extends: b.yaml", "b.yaml": "x: 1\nextends: a.yaml" })).toThrow(
      "b.yaml:2:1 extends: a.yaml extends b.yaml extends a.yaml, which is a circle",
    );
    expect(() => studyOf({ "a.yaml": "extends: a.yaml" })).toThrow("which is a circle");
    expect(() => studyOf({ "a.yaml": "extends: [3]" })).toThrow(
      "a.yaml:1:1 extends: expected a path or a list of paths, got 3",
    );
  });

  test("may be a matrix file", () => {
    const { dialect, study } = studyOf({
      "big.json": '{"extends": "smoke.json", "matrix": {"seeds": [1, 2]}}',
      "smoke.json": '{"common_args": {"pdfs": 3}, "matrix": {"policy": ["full"]}}',
    });
    expect(dialect).toBe("matrix-json");
    expect(study).toMatchObject({ params: { pdfs: 3 }, seeds: [1, 2], axes: [{ names: ["policy"] }] });
  });
});
