import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Where scripts/test-python.sh installed packages of PyPI. */
export const pythonBin = `${process.env.ASSAY_PYTHON_DIR ?? ""}/bin`;
export const python = `${pythonBin}/python`;

/** Which of these modules can't be imported there. */
export function missingModules(names: readonly string[]): string[] {
  return names.filter((name) => {
    if (!existsSync(python)) return true;
    try {
      const find = `import importlib.util, sys; sys.exit(importlib.util.find_spec(${JSON.stringify(name)}) is None)`;
      execFileSync(python, ["-c", find], { stdio: "ignore" });
      return false;
    } catch {
      return true;
    }
  });
}

/** For the name of a test that is skipped. */
export function whyNot(missing: readonly string[]): string {
  return missing.length > 0 ? ` (not installed: ${missing.join(", ")})` : "";
}
