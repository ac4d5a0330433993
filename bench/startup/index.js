// `assay --help` against an empty Node program.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay, inTurn, row, scratch, seconds } from "../support/measure.js";

export default async function measure() {
  const empty = join(scratch("startup"), "empty.mjs");
  writeFileSync(empty, "");
  const { help, nothing } = inTurn(15, {
    help: () => seconds(process.execPath, [assay, "--help"]),
    nothing: () => seconds(process.execPath, [empty]),
  });
  return [row("assay --help", help, nothing, { rival: "empty Node program", most: 1.5 })];
}
