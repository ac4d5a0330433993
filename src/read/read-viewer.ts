import { readFileSync } from "node:fs";
import { MachineError } from "../core/errors.ts";
import { packageDir } from "../host/package.ts";

/** The page's program and look, as the build left them. */
export function readViewer(): { script: string; style: string } {
  const dir = `${packageDir()}/dist/viewer`;
  try {
    return {
      script: readFileSync(`${dir}/viewer.js`, "utf8"),
      style: readFileSync(`${dir}/viewer.css`, "utf8"),
    };
  } catch {
    throw new MachineError(
      `the report's page is not built (${dir}/viewer.js is missing). Run \`npm run build\` in the package, or leave the page out: assay report STUDY --format md,json.`,
    );
  }
}
