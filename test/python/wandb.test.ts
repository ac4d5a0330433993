import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { missingModules, python, whyNot } from "../support/python-packages.ts";
import { comparable, parse, WANDB_PROGRAMS, WandbCall, type WandbRecord } from "../support/wandb-programs.ts";

const reader = fileURLToPath(new URL("./read-offline-run.py", import.meta.url));

const missing = missingModules(["wandb"]);

/** What the real library recorded, from its own file. */
function recordedThere(path: string): WandbRecord {
  const { config, history, summary } = parse(
    execFileSync(python, [reader, path], { encoding: "utf8" }),
  ) as WandbRecord;
  return { config, history: history.map(comparable), summary: comparable(summary) };
}

describe("a program with our wandb and with the real one", () => {
  for (const [name, { code = 0 }] of Object.entries(WANDB_PROGRAMS)) {
    test.skipIf(missing.length > 0)(
      `records the same configuration, history and summary: ${name}${whyNot(missing)}`,
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
