import { expect, test } from "vitest";
import { missingScript } from "../../../src/targets/command/missing-script.ts";

const sweepArgs = { floats: [] };

test("a sweep file's script that is not there is told, and nothing else is", () => {
  const at = (argv: string[]) =>
    missingScript({ kind: "command", argv, cwd: "/nowhere", watch: [], sweepArgs });
  expect(at(["/usr/bin/env", "${interpreter}", "a.py"])).toMatchObject({
    kind: "missing-file",
    text: expect.stringContaining("the program a.py is not there: /nowhere/a.py"),
  });
  expect(at(["/usr/bin/env", "python3.11", "a.py"])?.text).toContain("a.py");
  expect(at(["/usr/bin/env", "python", "-m", "a.b"])).toBeUndefined();
  expect(at(["torchrun", "a.py"])).toBeUndefined();
  const native = { kind: "command" as const, argv: ["python", "a.py"], cwd: "/nowhere", watch: [] };
  expect(missingScript(native)).toBeUndefined();
});
