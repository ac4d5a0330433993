import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Destination } from "../../../sandboxes/sandbox.ts";
import type { SeenPaths } from "../seen-paths.ts";
import type { McpServer } from "../tasks/task.ts";
import type { AgentJob } from "./agent.ts";
import type { Settings } from "./agent-home.ts";
import type { ProgramAgent } from "./program-agent.ts";

/** How an agent is told of servers of tools: files below its HOME, or further words. */
export interface McpWays {
  settings?: Record<string, Settings>;
  words?: string[];
}

/** What of it concerns one run. */
export interface ToldServers extends McpWays {
  env: Record<string, string>;
  /** What the agent has to reach for them beyond its models. */
  reach: Destination[];
  warnings: string[];
}

const FILE = "mcp.json";
const LOOPBACK = /^(localhost|127\..*|\[?::1\]?|0\.0\.0\.0)$/;

/** Tells an agent of its task's servers: in its own way, and by a file for programs of the user's own. */
export function tellServers(
  { name, npm, mcp }: Pick<ProgramAgent, "name" | "npm" | "mcp">,
  { task: { mcpServers: servers = [], limits }, places }: AgentJob,
  seen: SeenPaths,
): ToldServers {
  if (servers.length === 0) return { env: {}, reach: [], warnings: [] };
  writeFileSync(join(places.outDir, FILE), JSON.stringify(mcpServers(servers)));
  const isTold = mcp !== undefined || npm === undefined;
  const names = servers.map((server) => server.name).join(", ");
  return {
    ...mcp?.(servers),
    env: { ASSAY_MCP_CONFIG: `${seen.inside(places.outDir)}/${FILE}` },
    reach: limits.allowInternet === false ? [] : servers.flatMap(destinationOf),
    warnings: isTold ? [] : [`the agent ${name} can't be told of the task's MCP servers (${names})`],
  };
}

function destinationOf({ url }: McpServer): Destination[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const { hostname, port, protocol } = new URL(url);
  if (LOOPBACK.test(hostname)) return [];
  return [{ host: hostname, port: Number(port) || (protocol === "https:" ? 443 : 80) }];
}

/** As most programs have it: `{"mcpServers": {name: {command, args}}}`, or the address and what it speaks. */
export function mcpServers(servers: readonly McpServer[]): Settings {
  return {
    mcpServers: byName(servers, ({ url, transport, ...rest }) =>
      transport === "stdio"
        ? started(rest)
        : { type: transport === "sse" ? "sse" : "http", url, ...headed(rest) },
    ),
  };
}

/** Gemini's, and Qwen's, tell the two kinds of addresses apart by their names. */
export function geminiServers(servers: readonly McpServer[]): Settings {
  return {
    mcpServers: byName(servers, ({ url, transport, ...rest }) =>
      transport === "stdio"
        ? started(rest)
        : { [transport === "sse" ? "url" : "httpUrl"]: url, ...headed(rest) },
    ),
  };
}

export function opencodeServers(servers: readonly McpServer[]): Settings {
  return {
    mcp: byName(servers, ({ transport, command, args, url, ...rest }) =>
      transport === "stdio"
        ? { type: "local", command: [command, ...args], enabled: true }
        : { type: "remote", url, enabled: true, ...headed(rest) },
    ),
  };
}

/** Codex takes settings as words, whose values are TOML: a JSON string is one. */
export function codexServers(servers: readonly McpServer[]): string[] {
  return servers.flatMap(({ name, transport, command, args, url }) => {
    const key = `mcp_servers.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}`;
    return transport === "stdio"
      ? ["-c", `${key}={command=${JSON.stringify(command)},args=${JSON.stringify(args)}}`]
      : ["-c", `${key}={url=${JSON.stringify(url)}}`];
  });
}

function byName(servers: readonly McpServer[], told: (server: McpServer) => Settings): Settings {
  return Object.fromEntries(servers.map((server) => [server.name, told(server)]));
}

function started({ command, args }: Pick<McpServer, "command" | "args">): Settings {
  return { command, args };
}

function headed({ headers }: Pick<McpServer, "headers">): Settings {
  return Object.keys(headers).length === 0 ? {} : { headers };
}
