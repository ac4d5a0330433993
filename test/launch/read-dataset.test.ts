import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import { openDataset } from "../../src/launch/read-dataset.ts";
import { TempFolder } from "../support/temp-folder.ts";

describe("a dataset", () => {
  test("is JSON lines, CSV or Parquet, and gives the same items", async () => {
    using folder = new TempFolder({
      "items.jsonl": '{"id":"a","n":1,"text":"x, y"}\n\n{"id":"007","n":2.5,"text":""}\n',
      "items.csv": 'id,n,text\na,1,"x, y"\n007,2.5,\n',
    });
    const parquet = `${folder.path}/items.parquet`;
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    await connection.run(
      `COPY (SELECT * FROM (VALUES ('a', 1::DOUBLE, 'x, y'), ('007', 2.5, '')) AS t(id, n, text)) TO '${parquet}' (FORMAT parquet)`,
    );
    connection.closeSync();
    instance.closeSync();
    for (const name of ["items.jsonl", "items.csv", "items.parquet"]) {
      const items = await openDataset({ path: `${folder.path}/${name}` }, {});
      expect(Object.fromEntries(items), name).toEqual({
        a: { id: "a", n: 1, text: "x, y" },
        "007": { id: "007", n: 2.5, text: "" },
      });
    }
  });

  test("says which line is wrong, and which file was meant", async () => {
    using folder = new TempFolder({
      "items.jsonl": '{"id":1}\n{"id":\n',
      "list.jsonl": "[1]\n",
      "items.xml": "",
    });
    const open = (name: string) =>
      openDataset({ path: `${folder.path}/${name}` }, { file: "s.yaml", line: 3 });
    await expect(open("items.jsonl")).rejects.toThrow(/^s\.yaml:3.*items\.jsonl: line 2 is no JSON/);
    await expect(open("list.jsonl")).rejects.toThrow("line 1: expected an object with fields, got [1]");
    await expect(open("item.jsonl")).rejects.toThrow('does not exist. Did you mean "items.jsonl"?');
    await expect(open("items.xml")).rejects.toThrow("expected a file that ends with .jsonl");
    await expect(open("gone.parquet")).rejects.toThrow("does not exist");
  });
});
