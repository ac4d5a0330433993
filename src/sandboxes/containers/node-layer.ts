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

/** Becomes another user, as the image names it, says so, and starts the words that follow; needs to be root. */
const BECOME = `const { readFileSync } = require("node:fs");
const [mark, user, ...argv] = process.argv.slice(1);
const rows = (file) => {
  try { return readFileSync(file, "utf8").split("\\n").map((line) => line.split(":")); } catch { return []; }
};
const [name, group] = user.split(":");
const own = rows("/etc/passwd").find(([word, , id]) => word === name || id === name);
const groups = rows("/etc/group");
const uid = Number(own ? own[2] : name);
const gid = Number(group === undefined ? (own ? own[3] : uid) : (groups.find(([word]) => word === group)?.[2] ?? group));
if (!Number.isInteger(uid) || !Number.isInteger(gid)) {
  console.error("assay: the image has no user " + user);
  process.exit(1);
}
const further = groups.filter(([, , , members = ""]) => own && members.split(",").includes(own[0])).map(([, , id]) => Number(id));
process.setgroups([gid, ...further]);
const env = { ...process.env, USER: own?.[0] ?? user };
// A home that the engine gave it is root's.
if (["/root", "/", "", undefined].includes(env.HOME)) env.HOME = own?.[5] ?? "/";
process.stdout.write(mark);
const child = require("node:child_process").spawn(argv[0], argv.slice(1), { stdio: "inherit", uid, gid, env });
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => { console.error(argv[0] + ": " + error.message); process.exit(127); });
child.on("exit", (code) => process.exit(code ?? 143));`;

/** Words that start others as a user of the image, once `mark` is printed. */
export async function asUser(
  user: string,
  argv: readonly string[],
  mark: string,
): Promise<{ argv: string[]; mount: Mount }> {
  return { argv: [...NODE_WORDS, "-e", BECOME, "--", mark, user, ...argv], mount: await nodeLayer() };
}

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
