import { execFileSync } from "node:child_process";
import { statfsSync } from "node:fs";
import { availableParallelism, freemem, totalmem } from "node:os";
import { bytesText } from "../core/number-text.ts";
import { programSandboxes } from "../sandboxes/index.ts";
import { styleFor } from "./terminal.ts";

interface Check {
  name: string;
  /** What was found, or undefined. */
  found: string | undefined;
  neededFor: string;
  remedy: string;
}

/** What is installed, what is missing, and how to get it. */
export async function doctor(options: {
  json?: boolean;
  agents?: boolean;
  plugin?: string;
  file?: string[];
}): Promise<void> {
  if (options.plugin !== undefined)
    return (await import("./check-plugin.ts")).checkPlugin(options.plugin, options);
  if (options.agents) return (await import("./agents.ts")).tryAgents(options);
  const checks: Check[] = [
    nodeCheck(),
    tool("git", ["--version"], {
      neededFor: "recording commit and diff in study.json",
      remedy: "apt-get install git",
    }),
    tool("/bin/sh", ["-c", "echo present"], {
      neededFor: "running programs",
      remedy: "install a POSIX shell",
    }),
    await duckdbCheck(),
    ...(await sandboxChecks()),
    tool("sbatch", ["--version"], {
      neededFor: "executor slurm",
      remedy:
        "run on a login node of a cluster; elsewhere it takes slurm-client and the cluster's slurm.conf",
    }),
    tool("python3", ["--version"], {
      neededFor: "studies whose program is Python",
      remedy: "apt-get install python3",
    }),
  ];
  const { bavail, bsize } = statfsSync(".");
  const machine = {
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    freeDiskBytes: bavail * bsize,
  };
  if (options.json) {
    console.log(JSON.stringify({ checks, machine }));
  } else {
    const style = styleFor(process.stdout);
    for (const { name, found, neededFor, remedy } of checks) {
      if (found !== undefined) console.log(`${style.green("ok")}       ${name}: ${found}`);
      else console.log(`${style.yellow("missing")}  ${name}, needed for ${neededFor}: ${remedy}`);
    }
    console.log(
      `machine  ${machine.cores} cores, ${bytesText(machine.memoryBytes)} memory, ${bytesText(machine.freeDiskBytes)} free here`,
    );
  }
}

function nodeCheck(): Check {
  const [major, minor] = process.versions.node.split(".").map(Number) as [number, number];
  const isEnough = major > 20 || (major === 20 && minor >= 19);
  return {
    name: "node",
    found: isEnough ? process.version : undefined,
    neededFor: "everything",
    remedy: "install Node 20.19 or later",
  };
}

function tool(name: string, words: string[], rest: Pick<Check, "neededFor" | "remedy">): Check {
  try {
    const found = execFileSync(name, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")[0]!
      .trim();
    return { name, found, ...rest };
  } catch {
    return { name, found: undefined, ...rest };
  }
}

/** Those that not every machine has. */
async function sandboxChecks(): Promise<Check[]> {
  const checks: Check[] = [];
  for (const sandbox of Object.values(programSandboxes)) {
    if (!sandbox.problem) continue;
    const problem = await sandbox.problem();
    checks.push({
      name: sandbox.name,
      found: problem === undefined ? "works" : undefined,
      neededFor: `sandbox ${sandbox.name}`,
      remedy: problem ?? "",
    });
  }
  return checks;
}

async function duckdbCheck(): Promise<Check> {
  const rest = { name: "duckdb", neededFor: "assay query", remedy: "npm install @duckdb/node-api" };
  try {
    return { ...rest, found: (await import("@duckdb/node-api")).version() };
  } catch {
    return { ...rest, found: undefined };
  }
}
