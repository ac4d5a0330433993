import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collect } from "../../src/archive/collect.ts";
import { type FlagColumn, flagColumns, OWN_COLUMNS, rowOf } from "../../src/archive/row.ts";
import { csvCell, parseCsv } from "../../src/core/escape.ts";
import type { Value } from "../../src/core/params.ts";
import type { RunRecord } from "../../src/core/run.ts";
import { aRecord, aStudy, aStudyFile } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

const linesOf = (records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const idOf = (i: number) => `run${i}__${i.toString(16).padStart(12, "0")}`;

async function collectedFrom(folder: TempFolder, from: "journal" | "folders" = "journal") {
  const { path, rows, ...rest } = await collect(folder.path, { from });
  const text = readFileSync(path, "utf8");
  const table = parseCsv(text);
  expect(table).toHaveLength(rows);
  return { table, text, rows, ...rest };
}

/** What a reader of the CSV should find: each run's newest record, each cell as CSV gives it back. */
function expected(records: RunRecord[], studyDir: string, flags: FlagColumn[]): Record<string, string>[] {
  const newest = new Map(records.map((record) => [record.id, record]));
  const cells = [...newest.values()].map((record) => {
    const { id, params, place, flags: own, metrics, runtime } = rowOf(record, studyDir, flags);
    return { ...id, ...params, ...place, ...own, ...metrics, ...runtime } as Record<string, unknown>;
  });
  const columns = [...new Set(cells.flatMap((row) => Object.keys(row)))];
  const back = (value: unknown) => parseCsv(`a,b\n${csvCell(value)},"x"\n`)[0]!.a!;
  return cells.map((row) => Object.fromEntries(columns.map((name) => [name, back(row[name])])));
}

const byId = (table: Record<string, string>[]) => table.toSorted((a, b) => (a.run_id! < b.run_id! ? -1 : 1));

/** Texts that CSV, JSON or a spreadsheet could trip over. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.constantFrom("=1+1", "a,b", 'say "x"', "two\nlines", "\\", "-", "é✓", "}", "],", "@x", "\t", "'", "1e5"),
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -1, 1e21),
);
const record = fc
  .record({
    run: fc.nat({ max: 12 }),
    params: fc.dictionary(
      fc.constantFrom("policy", "n", "deep", "a,b"),
      fc.oneof(text, number, fc.boolean(), fc.array(number), fc.constant<Value>({ x: [1] })),
    ),
    metrics: fc.dictionary(fc.constantFrom("m1", "m2", "m 3"), fc.option(number)),
    labels: fc.option(fc.dictionary(fc.constantFrom("kind", "note"), text)),
    variant: text,
    flags: fc.subarray(["--off", "--level=3", "-x"]),
    outcome: fc.constantFrom<RunRecord["outcome"]>(
      { status: "ok" },
      { status: "ok", exitCode: 0 },
      { status: "failed", owner: "agent", reason: 'said "no", \\ and left', exitCode: 3 },
      { status: "timeout", owner: "agent", reason: "=late" },
    ),
    wallMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    files: fc.option(fc.array(text)),
  })
  .map(({ run, labels, files, ...rest }) =>
    aRecord({ id: idOf(run), seed: run, ...rest, ...(labels && { labels }), ...(files && { files }) }),
  );

describe("collecting a journal", () => {
  const variants = [{ name: "a", params: {}, flags: ["--off", "--level=3", "-x"] }];
  const study = JSON.stringify(aStudyFile({ study: aStudy({ variants }) }));

  test("gives each run's newest record as one row, whatever the records hold", async () => {
    using folder = new TempFolder({ "study.json": study });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 30 }), async (records) => {
        folder.write("journal.jsonl", linesOf(records));
        const { table } = await collectedFrom(folder);
        expect(byId(table)).toEqual(byId(expected(records, folder.path, flagColumns({ variants }))));
      }),
      { numRuns: 100 },
    );
  });

  test("keeps a list in its one cell, in every line", async () => {
    using folder = new TempFolder();
    const records = [0, 1, 2].map((i) => aRecord({ id: idOf(i), params: { layers: [64, i], n: i } }));
    folder.write("journal.jsonl", linesOf(records));
    const { table } = await collectedFrom(folder);
    expect(table.map(({ layers, n }) => [layers, n])).toEqual([
      ["[64,0]", "0"],
      ["[64,1]", "1"],
      ["[64,2]", "2"],
    ]);
  });

  test("finds columns that appear late, after hundreds of runs without them", async () => {
    using folder = new TempFolder({ "study.json": study });
    const records = Array.from({ length: 500 }, (_, i) =>
      aRecord({
        id: idOf(i),
        metrics: i === 450 ? { m: i, late: 1 } : { m: i },
        params: i === 499 ? { p: "x" } : {},
      }),
    );
    folder.write("journal.jsonl", linesOf(records));
    const { table } = await collectedFrom(folder);
    expect(table.map(({ late }) => late).filter(Boolean)).toEqual(["1"]);
    expect(byId(table)).toEqual(byId(expected(records, folder.path, flagColumns({ variants }))));
  });

  test("passes over broken, glued and torn lines, and writes what is whole", async () => {
    const [a, b, c] = [0, 1, 2].map((i) => linesOf([aRecord({ id: idOf(i), metrics: { m: i } })])) as [
      string,
      string,
      string,
    ];
    for (const broken of [
      "garbage\n",
      "\n",
      "{}\n",
      `${a.slice(0, 60)}${b}`,
      a.replace('"metrics":{', '"metrics":{]'),
      "\0\0\n",
    ]) {
      using folder = new TempFolder({ "journal.jsonl": a + broken + c });
      expect((await collectedFrom(folder)).table.map(({ m }) => m)).toEqual(["0", "2"]);
    }
    using torn = new TempFolder({ "journal.jsonl": a + b.slice(0, -20) });
    expect((await collectedFrom(torn)).rows).toBe(1);
  });

  test("leaves the old file in place when it can't write a new one", async () => {
    using folder = new TempFolder({ "journal.jsonl": linesOf([aRecord({ id: idOf(1) })]) });
    const { text: before } = await collectedFrom(folder);
    writeFileSync(`${folder.path}/journal.jsonl`, "");
    await expect(collect(folder.path, { from: "folders" })).rejects.toThrow();
    expect(folder.read("aggregate/runs.csv")).toBe(before);
  });
});

describe("collecting folders", () => {
  test("gives the same values as the journal in the columns that both have", async () => {
    using folder = new TempFolder();
    const records = [0, 1, 2].map((i) =>
      aRecord({
        id: idOf(i),
        params: { policy: "a,b", n: i },
        metrics: { m: i / 3, p_tier0_u: i },
        flags: ["--off"],
        seed: i,
      }),
    );
    folder.write("journal.jsonl", linesOf(records));
    for (const { id, params, seed, variant, flags, metrics, wallMs, startedAtMs } of records) {
      const meta = {
        run_id: id,
        params: { ...params, seed },
        ablation_name: variant,
        ablation_flags: flags,
        start_time_unix_s: startedAtMs / 1000,
        end_time_unix_s: (startedAtMs + wallMs) / 1000,
        wall_time_s: wallMs / 1000,
        exit_code: 0,
        status: "ok",
      };
      folder.write(`runs/${id}/meta.json`, JSON.stringify(meta));
      folder.write(`runs/${id}/out/summary.csv`, `m\n${metrics.m}\n`);
      folder.write(`runs/${id}/out/tiers.csv`, `provider,tier_id,u\np,0,${metrics.p_tier0_u}\n`);
    }
    folder.write("runs/broken/meta.json", "{torn");
    const { table: journal } = await collectedFrom(folder);
    const { table: folders, unreadable } = await collectedFrom(folder, "folders");
    expect(unreadable).toEqual(["broken"]);
    const shared = Object.keys(folders[0]!).filter((name) => name in journal[0]!);
    expect(shared).toEqual(
      expect.arrayContaining([
        "run_id",
        "policy",
        "n",
        "seed",
        "m",
        "p_tier0_u",
        "ablation_flags",
        "wall_time_s",
        "status",
        "run_dir",
      ]),
    );
    const only = (table: Record<string, string>[]) => table.map((row) => shared.map((name) => row[name]));
    expect(only(folders)).toEqual(only(journal));
  });
});

describe("columns", () => {
  const own = Object.values(rowOf(aRecord({ task: "t" }), "/s")).flatMap((cells) => Object.keys(cells));

  test("of Assay's own are all known, so that nobody else's gets their name", () => {
    expect([...OWN_COLUMNS].sort()).toEqual(own.sort());
  });

  test("are each named once, whatever parameters, flags and metrics are called", async () => {
    const taken = ["run_id", "wall_time_s", "status", "reason", "attempt", "Program"];
    const record = aRecord({
      params: { ...Object.fromEntries(taken.map((name) => [name, `asked ${name}`])), lr: 1, off: 3 },
      metrics: { ...Object.fromEntries(taken.map((name, i) => [name, i])), lr: 2, LR: 3, lr_metric: 4 },
      flags: ["--off"],
    });
    using folder = new TempFolder({
      "journal.jsonl": linesOf([record, { ...record, id: idOf(1) }]),
      "study.json": JSON.stringify(
        aStudyFile({ study: aStudy({ variants: [{ name: "baseline", params: {}, flags: ["--off"] }] }) }),
      ),
    });
    const { table, text } = await collectedFrom(folder);
    const header = text.split("\n")[0]!.split(",");
    expect(new Set(header.map((name) => name.toLowerCase())).size).toBe(header.length);
    expect(table.map(({ run_id }) => run_id)).toEqual([record.id, idOf(1)]);
    for (const row of table) {
      expect(row).toMatchObject({
        status: "ok",
        attempt: "1",
        wall_time_s: "1.5",
        program: "noop@1",
        off: "3",
      });
      for (const [i, name] of taken.entries())
        expect([row[`${name}_param`], row[`${name}_metric`]]).toEqual([`asked ${name}`, String(i)]);
      expect(row).toMatchObject({ lr: "1", lr_metric: "4", lr_metric_metric: "2", off_flag: "true" });
      expect(row.LR_metric_metric_metric).toBe("3");
    }
  });
});

describe("the row of a run", () => {
  test("has one column for a flag that is a parameter, too, and each flag of the program, used or not", () => {
    const variants = [
      { name: "baseline", params: {}, flags: [] },
      { name: "no_hedge", params: { disable_hedging: true }, flags: ["--disable_hedging"] },
    ];
    const columns = flagColumns({ variants, programFlags: ["disable_hedging", "disable_escalation"] });
    const rows = variants.map(({ params, flags }) => rowOf(aRecord({ params, flags }), "/s", columns));
    expect(rows.map(({ params, flags }) => ({ params, ...flags }))).toEqual([
      { params: {}, ablation_flags: "", disable_hedging: false, disable_escalation: false },
      {
        ...{ params: {}, ablation_flags: "--disable_hedging" },
        ...{ disable_hedging: true, disable_escalation: false },
      },
    ]);
  });

  test("has what was asked, what came out, and how it went", () => {
    const failure = aRecord({
      params: { n: 5 },
      flags: ["--off"],
      metrics: { n: 7 },
      labels: { kind: "x" },
      outcome: { status: "failed", owner: "agent", reason: "exit 3", exitCode: 3 },
      attempt: 2,
    });
    const { params, place, flags, metrics, runtime } = rowOf(failure, "/s", [
      { name: "off", isParam: false },
      { name: "other", isParam: false },
    ]);
    expect({ params, place, flags }).toEqual({
      params: { n: 5 },
      place: { seed: 1, repeat: 0, ablation_name: "baseline" },
      flags: { ablation_flags: "--off", off: true, other: false },
    });
    expect(metrics).toEqual({ kind: "x", n: 7 });
    expect(runtime).toMatchObject({
      status: "failed",
      owner: "agent",
      reason: "exit 3",
      attempt: 2,
      exit_code: 3,
      wall_time_s: 1.5,
    });
    expect(rowOf(aRecord(), "/s").runtime.exit_code).toBe(0);
  });

  test("has a column for each bare flag", () => {
    const columnsOf = (...flags: string[][]) =>
      flagColumns({ variants: flags.map((own) => ({ name: "v", params: {}, flags: own })) }).map(
        ({ name }) => name,
      );
    expect(columnsOf(["--a", "--b=2", "-c"], ["--a", "--d_e-f", "word"])).toEqual(["a", "d_e-f"]);
  });
});
