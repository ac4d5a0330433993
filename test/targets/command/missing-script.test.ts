import { expect, test } from "vitest";
import { checkScript, missingScript } from "../../../src/targets/command/missing-script.ts";
import { TempFolder } from "../../support/temp-folder.ts";

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

test("a study's script that is not there is a mistake, with the nearest file beside it", () => {
  using folder = new TempFolder({ "agent.py": "", "tool.sh": "" });
  const check = (...argv: string[]) =>
    checkScript({ kind: "command", argv, cwd: folder.path, watch: [] }, { file: "study.yaml", line: 2 });
  expect(() => check("python3", "-u", "agnet.py")).toThrow(
    `study.yaml:2: the program agnet.py does not exist: got ${folder.path}/agnet.py. Did you mean "agent.py"?`,
  );
  expect(() => check("/usr/bin/env", "node", "zzzzzz.mjs")).toThrow("Paths are relative to the study file");
  for (const argv of [
    ["python3", "agent.py", "nosuch.py"],
    ["python3", "-m", "pytest"],
    ["sh", "-c", "echo nosuch.sh"],
    ["sh", "${script}.sh"],
    ["./prog", "nosuch.py"],
  ])
    check(...argv);
});
