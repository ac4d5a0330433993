import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { exportStudy } from "../../src/api/export-study.ts";
import { queryStudy } from "../../src/api/query-study.ts";
import { aRecord, aStudy, aStudyFile } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";
import { trajectoryFiles } from "../support/trajectory-files.ts";

const idOf = (i: number) => `run__${i.toString(16).padStart(12, "0")}`;

function aFolder(files: Record<string, string> = {}) {
  const paramsOf = (i: number) => ({
    ...{ code: `00${i}`, day: "2024-01-01", n: i, rate: i / 2, deep: i > 1, list: [1, i] },
  });
  const records = [0, 1, 2].map((i) =>
    aRecord({
      id: idOf(i),
      seed: i,
      params: paramsOf(i),
      flags: i > 0 ? ["--disable_hedging"] : [],
      metrics: { score: i === 1 ? null : i + 0.5, never: null },
    }),
  );
  const variants = [{ name: "baseline", params: {}, flags: ["--disable_hedging"] }];
  const axes = [{ names: Object.keys(paramsOf(0)), rows: [0, 1, 2].map((i) => Object.values(paramsOf(i))) }];
  return new TempFolder({
    "study.json": JSON.stringify(aStudyFile({ study: aStudy({ variants, axes, seeds: [0, 1, 2] }) })),
    "journal.jsonl": records.map((record) => `${JSON.stringify(record)}\n`).join(""),
    ...files,
  });
}

async function readBack(path: string) {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const rows = (await connection.runAndReadAll(`SELECT * FROM '${path}'`)).getRowObjectsJson();
  const types = (
    await connection.runAndReadAll(`SELECT column_name, column_type FROM (DESCRIBE FROM '${path}')`)
  ).getRows();
  return { rows, types: Object.fromEntries(types) as Record<string, string> };
}

test("runs in Parquet keep their types, whatever texts look like, and their values", async () => {
  using folder = aFolder();
  const { tables } = await exportStudy(folder.path, { tables: ["runs"], format: "parquet" });
  expect(tables).toEqual([{ table: "runs", path: `${folder.path}/aggregate/runs.parquet`, rows: 3 }]);
  const { rows, types } = await readBack(tables[0]!.path);
  expect(types).toMatchObject({
    ...{ run_id: "VARCHAR", code: "VARCHAR", day: "VARCHAR", list: "VARCHAR", ablation_flags: "VARCHAR" },
    ...{ n: "BIGINT", seed: "BIGINT", rate: "DOUBLE", score: "DOUBLE", never: "DOUBLE" },
    ...{ deep: "BOOLEAN", disable_hedging: "BOOLEAN" },
  });
  expect(
    rows.map(({ code, day, rate, deep, score, ablation_flags, list }) => [
      ...[code, day, rate, deep, score, ablation_flags, list],
    ]),
  ).toEqual([
    ["000", "2024-01-01", 0, false, 0.5, "", "[1,0]"],
    ["001", "2024-01-01", 0.5, false, null, "--disable_hedging", "[1,1]"],
    ["002", "2024-01-01", 1, true, 2.5, "--disable_hedging", "[1,2]"],
  ]);
});

test("a number that turns out to be no whole one late is a number all the same", async () => {
  const count = 5_000;
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify(aRecord({ id: idOf(i), seed: i, metrics: { score: i === count - 1 ? 0.5 : 1 } })),
  );
  using folder = new TempFolder({ "journal.jsonl": `${lines.join("\n")}\n` });
  const { tables } = await exportStudy(folder.path, { tables: ["runs"], format: "parquet" });
  const { types } = await readBack(tables[0]!.path);
  expect(types.score).toBe("DOUBLE");
});

test("series and instances are tables of their own, and all writes those that there are", async () => {
  using folder = aFolder({
    [`runs/${idOf(1)}/series.jsonl`]: '{"step":1,"loss":0.5}\n{"step":2,"loss":0.25}\n',
    [`runs/${idOf(2)}/out/a/task__one-1.traj`]: JSON.stringify(trajectoryFiles.assay),
    [`runs/${idOf(2)}/out/broken.traj`]: "{",
  });
  const all = { tables: ["runs", "series", "instances"], format: "csv" } as const;
  const { tables, problems } = await exportStudy(folder.path, all);
  expect(tables.map(({ table, rows }) => [table, rows])).toEqual([
    ["runs", 3],
    ["series", 2],
    ["instances", 1],
  ]);
  expect(problems).toEqual([expect.stringMatching(/^run__0+2: broken\.traj: no valid JSON/)]);
  expect(folder.read("aggregate/series.csv")).toContain(`${idOf(1)},2,0.25`);
  const { rows } = await queryStudy(
    folder.path,
    "SELECT i.run_id, r.n, i.submitted, i.summary_api_calls IS NOT NULL AS apart FROM instances i JOIN runs r USING (run_id)",
  );
  expect(rows).toEqual([{ run_id: idOf(2), n: 2, submitted: expect.any(Boolean), apart: true }]);
  using bare = aFolder();
  await expect(exportStudy(bare.path, { ...all, tables: ["series"] })).rejects.toThrow(
    /this study has no series.*assay\.series\(\)/,
  );
  expect((await exportStudy(bare.path, all)).tables.map(({ table }) => table)).toEqual(["runs"]);
  using empty = new TempFolder({ "journal.jsonl": "" });
  await expect(exportStudy(empty.path, { tables: ["runs"], format: "parquet" })).rejects.toThrow(
    /this study has no runs.*assay status/,
  );
});

test("Arrow and Feather hold the types and values that Parquet has, in batches", async () => {
  using folder = aFolder({
    [`runs/${idOf(1)}/series.jsonl`]: Array.from(
      { length: 70_000 },
      (_, i) => `{"step":${i},"x":0.5}\n`,
    ).join(""),
  });
  const { tables } = await exportStudy(folder.path, { tables: ["runs", "series"], format: "feather" });
  expect(tables.map(({ path, rows }) => [path, rows])).toEqual([
    [`${folder.path}/aggregate/runs.feather`, 3],
    [`${folder.path}/aggregate/series.feather`, 70_000],
  ]);
  const runs = readArrow(readFileSync(tables[0]!.path));
  expect(runs.batches).toEqual([3]);
  expect(runs.fields).toMatchObject({ run_id: 5, code: 5, n: 2, rate: 3, deep: 6, score: 3, never: 3 });
  const series = readArrow(readFileSync(tables[1]!.path));
  expect(series.batches.reduce((sum, rows) => sum + rows, 0)).toBe(70_000);
  expect(series.batches.length).toBeGreaterThan(1);
  expect(series.fields).toEqual({ run_id: 5, step: 2, x: 3 });
});

/** The footer of an Arrow file: its fields with the numbers of their types, and the rows of each batch that it points at. */
function readArrow(file: Buffer) {
  expect(file.toString("latin1", 0, 6) + file.toString("latin1", file.length - 6)).toBe("ARROW1ARROW1");
  const footer = file.subarray(file.length - 10 - file.readInt32LE(file.length - 10), file.length - 10);
  const target = (bytes: Buffer, at: number) => at + bytes.readUInt32LE(at);
  const slot = (bytes: Buffer, table: number, i: number) =>
    table + bytes.readUInt16LE(table - bytes.readInt32LE(table) + 4 + 2 * i);
  const listAt = (bytes: Buffer, at: number) => ({ start: at + 4, length: bytes.readUInt32LE(at) });
  const root = target(footer, 0);
  const schema = target(footer, slot(footer, root, 1));
  const { start, length } = listAt(footer, target(footer, slot(footer, schema, 1)));
  const fields = Array.from({ length }, (_, i): [string, number] => {
    const field = target(footer, start + 4 * i);
    const name = listAt(footer, target(footer, slot(footer, field, 0)));
    return [
      footer.toString("utf8", name.start, name.start + name.length),
      footer.readUInt8(slot(footer, field, 2)),
    ];
  });
  const blocks = listAt(footer, target(footer, slot(footer, root, 3)));
  const batches = Array.from({ length: blocks.length }, (_, i) => {
    const at = Number(footer.readBigInt64LE(blocks.start + 24 * i));
    expect(file.readUInt32LE(at)).toBe(0xffffffff);
    const message = file.subarray(at + 8);
    const batch = target(message, slot(message, target(message, 0), 2));
    return Number(message.readBigInt64LE(slot(message, batch, 0)));
  });
  return { fields: Object.fromEntries(fields), batches };
}
