import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { comparable, parse, WANDB_PROGRAMS, WandbCall, type WandbRecord } from "../support/wandb-programs.ts";

/** Where scripts/test-python.sh installed the packages. */
const home = process.env.ASSAY_PYTHON_DIR ?? "";
const python = `${home}/bin/python`;
const reader = fileURLToPath(new URL("./read-offline-run.py", import.meta.url));

function isInstalled(): boolean {
  if (!existsSync(python)) return false;
  try {
    execFileSync(python, ["-c", "import wandb.proto.wandb_internal_pb2"]);
    return true;
  } catch {
    return false;
  }
}

/** What the real library recorded, from its own file. */
function recordedThere(path: string): WandbRecord {
  const { config, history, summary } = parse(
    execFileSync(python, [reader, path], { encoding: "utf8" }),
  ) as WandbRecord;
  return { config, history: history.map(comparable), summary: comparable(summary) };
}

const isHere = isInstalled();

describe("a program with our wandb and with the real one", () => {
  for (const [name, { code = 0 }] of Object.entries(WANDB_PROGRAMS)) {
    test.skipIf(!isHere)(
      `records the same configuration, history and summary: ${name}${isHere ? "" : " (wandb is not installed)"}`,
      () => {
        using theirs = new WandbCall(name, { python, isOurs: false });
        expect(theirs.code, theirs.stderr).toBe(code);
        using own = new WandbCall(name, { python });
        expect(own.code, own.stderr).toBe(code);
        expect(own.recorded).toEqual(recordedThere(theirs.path));
      },
    );
  }
});
