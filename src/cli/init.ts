import { writeFileSync } from "node:fs";
import { errorCode, UserError } from "../core/errors.ts";
import { sims } from "../targets/index.ts";

export async function init(file: string): Promise<void> {
  const firstStudy = await sims.simulator.firstStudy();
  try {
    writeFileSync(file, firstStudy, { flag: "wx" });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw new UserError(`${file} can't be written (${errorCode(error)})`);
    throw new UserError(`${file} exists already`, { remedy: "Name another file: `assay init other.yaml`." });
  }
  console.log(`${file} is written. Next: assay run ${file}`);
}
