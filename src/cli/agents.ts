import { UserError } from "../core/errors.ts";
import { durationText, plural } from "../core/number-text.ts";
import type { AgentPreset } from "../targets/coding/agents/agent.ts";
import { agentPresets } from "../targets/coding/agents/index.ts";
import { installAgent } from "../targets/coding/agents/install-agent.ts";
import { type AgentPackage, agentsDir, installedVersions } from "../targets/coding/agents/installed.ts";
import { tryAgent } from "../targets/coding/agents/try-agent.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { printable, styleFor, table } from "./terminal.ts";

type Published = AgentPreset & { npm: AgentPackage };

export function publishedAgents(): Published[] {
  return Object.values(agentPresets).filter((preset): preset is Published => preset.npm !== undefined);
}

interface AgentRow {
  name: string;
  /** What a study without a version gets; null where it is not installed. */
  version: string | null;
  path: string | null;
  /** Every version in the folder of `assay agents install`. */
  installed: string[];
  package: string;
  tried: string;
}

/** Which coding agents a study can name, which of them are here, and which version of each. */
export function listAgents({ json }: { json?: boolean }): void {
  const rows = publishedAgents().map(rowOf);
  if (json) {
    console.log(JSON.stringify({ folder: agentsDir(), agents: rows }));
    return;
  }
  const style = styleFor(process.stdout);
  console.log(
    table(
      ["agent", "version", "tried with", "where"],
      rows.map(({ name, version, tried, path, installed }) => [
        name,
        path === null ? style.yellow("not installed") : (version ?? "unknown"),
        tried,
        path === null
          ? `assay agents install ${name}`
          : `${path}${installed.length > 1 ? ` (also ${installed.filter((one) => one !== version).join(", ")})` : ""}`,
      ]),
    ),
  );
  console.log(
    `installed by Assay: ${agentsDir()}; a study names a version: agent = { preset = "codex", version = "..." }`,
  );
}

function rowOf(preset: Published): AgentRow {
  const { name, npm } = preset;
  const installed = installedVersions(name, npm);
  const own = { name, installed, package: npm.name, tried: npm.tried };
  try {
    const { path, version } = preset.create().find!()!;
    return { ...own, version, path };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...own, version: null, path: null };
  }
}

/** Installs agents, each in the version that it was tried with unless `NAME@VERSION` says another. */
export async function installAgents(wanted: string[], { json }: { json?: boolean }): Promise<void> {
  const chosen = wanted.map(readWanted);
  const interrupts = listenForInterrupts({ gentle: [], ending: "installing no further" });
  const style = styleFor(process.stderr);
  const done = [];
  try {
    for (const { preset, version } of chosen) {
      const { name, npm } = preset;
      process.stderr.write(style.dim(`installing ${name} (${npm.name}@${version ?? npm.tried}) ...\n`));
      const installed = await installAgent(preset, { version, signal: interrupts.kill.signal });
      done.push(installed);
      if (!json)
        console.log(
          `${name} ${installed.version}: ${installed.isNew ? "installed in" : "already in"} ${installed.folder}`,
        );
    }
  } catch (error) {
    if (!interrupts.kill.signal.aborted) throw error;
    process.exitCode = interrupts.exitCode;
  } finally {
    interrupts.release();
  }
  if (json) console.log(JSON.stringify({ installed: done }));
  else if (done.length > 0) console.log(`try ${done.length === 1 ? "it" : "them"}: assay doctor --agents`);
}

function readWanted(word: string): { preset: Published; version: string | undefined } {
  const [name, version] = word.split("@") as [string, string | undefined];
  const preset = publishedAgents().find((one) => one.name === name);
  if (!preset)
    throw new UserError(`no agent "${name}" can be installed`, {
      expected: publishedAgents()
        .map((one) => one.name)
        .join(", "),
    });
  return { preset, version };
}

/** Starts each installed agent once, and tells which of them work. */
export async function tryAgents({ json }: { json?: boolean }): Promise<void> {
  const interrupts = listenForInterrupts({ gentle: [], ending: "trying no further" });
  const { signal } = interrupts.kill;
  const style = styleFor(process.stdout);
  const rows = publishedAgents().map(rowOf);
  const results = [];
  try {
    for (const preset of publishedAgents()) {
      const row = rows.find(({ name }) => name === preset.name)!;
      if (row.path === null) {
        if (!json)
          console.log(`${style.dim("absent")}   ${preset.name}: assay agents install ${preset.name}`);
        continue;
      }
      const { problem, ...tried } = await tryAgent(preset, signal);
      results.push({ name: preset.name, ...tried, version: row.version, problem: problem ?? null });
      if (json) continue;
      const known = `${preset.name} ${row.version ?? "of unknown version"}`;
      if (problem === undefined)
        console.log(
          `${style.green("ok")}       ${known} in ${tried.sandbox}: ${plural(tried.calls, "call")}, ${durationText(tried.seconds * 1000)}`,
        );
      else console.log(`${style.red("fails")}    ${known} in ${tried.sandbox}: ${printable(problem)}`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    process.exitCode = interrupts.exitCode;
    return;
  } finally {
    interrupts.release();
  }
  if (json) console.log(JSON.stringify({ agents: results }));
  else if (results.length > 0)
    console.log("a stand-in answered them: no provider was called, and no key was used");
  if (results.some(({ problem }) => problem !== null)) process.exitCode = 1;
}
