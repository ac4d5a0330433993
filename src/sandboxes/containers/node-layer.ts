import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { errorText } from "../../core/errors.ts";
import { type Mount, SandboxError } from "../sandbox.ts";

/** Where containers find it. */
export const NODE_AT = "/opt/assay";
const LOADER = "loader.so";

/** Starts Node in any image, also one with another C library or none. */
export const NODE_WORDS = [
  `${NODE_AT}/lib/${LOADER}`,
  "--library-path",
  `${NODE_AT}/lib`,
  `${NODE_AT}/bin/node`,
];

/** What Assay keeps for containers: this Node with its libraries, to be mounted. */
export function containerCache(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "assay-containers");
}

/** This Node and the libraries that it needs, in a folder that containers may read; made once for all. */
export async function nodeLayer(): Promise<Mount> {
  if (process.platform !== "linux")
    throw new SandboxError(
      "a container runs Linux, and this Node does not: set network: true, or use a Linux machine",
    );
  const place = join(containerCache(), `node-${process.version}-${process.arch}`);
  if (!existsSync(place)) make(place);
  return { path: place, as: NODE_AT };
}

function make(place: string): void {
  mkdirSync(containerCache(), { recursive: true });
  const making = mkdtempSync(`${place}.`);
  try {
    for (const folder of ["bin", "lib"]) mkdirSync(join(making, folder));
    copyFileSync(process.execPath, join(making, "bin/node"));
    const listed = execFileSync("ldd", [process.execPath], { encoding: "utf8" });
    const files = [...listed.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path!);
    for (const file of files)
      copyFileSync(file, join(making, "lib", /\/ld-[^/]*$/.test(file) ? LOADER : basename(file)));
    execFileSync("chmod", ["-R", "a+rX", making]);
    renameSync(making, place);
  } catch (error) {
    if (!existsSync(place))
      throw new SandboxError(`Node for containers could not be made: ${errorText(error)}`);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
