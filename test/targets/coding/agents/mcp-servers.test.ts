import { describe, expect, test } from "vitest";
import {
  codexServers,
  geminiServers,
  mcpServers,
  opencodeServers,
} from "../../../../src/targets/coding/agents/mcp-servers.ts";
import type { McpServer } from "../../../../src/targets/coding/tasks/task.ts";

const SERVERS: McpServer[] = [
  { name: "tools", transport: "stdio", command: "/opt/server", args: ["--all"], headers: {} },
  { name: "far away", transport: "sse", url: "https://x.test/sse", args: [], headers: { A: "b" } },
  { name: "new", transport: "streamable-http", url: "http://127.0.0.1:8000/mcp", args: [], headers: {} },
];

describe("a task's MCP servers, as each agent has them", () => {
  test("Claude's form is the one of most programs", () => {
    expect(mcpServers(SERVERS)).toEqual({
      mcpServers: {
        tools: { command: "/opt/server", args: ["--all"] },
        "far away": { type: "sse", url: "https://x.test/sse", headers: { A: "b" } },
        new: { type: "http", url: "http://127.0.0.1:8000/mcp" },
      },
    });
  });

  test("Gemini's tells addresses apart by their names, OpenCode's says whether they are near", () => {
    expect(geminiServers(SERVERS)).toMatchObject({
      mcpServers: {
        "far away": { url: "https://x.test/sse" },
        new: { httpUrl: "http://127.0.0.1:8000/mcp" },
      },
    });
    expect(opencodeServers(SERVERS)).toMatchObject({
      mcp: { tools: { type: "local", command: ["/opt/server", "--all"] }, new: { type: "remote" } },
    });
  });

  test("Codex's are words", () => {
    expect(codexServers(SERVERS)).toEqual([
      ...["-c", 'mcp_servers.tools={command="/opt/server",args=["--all"]}'],
      ...["-c", 'mcp_servers."far away"={url="https://x.test/sse"}'],
      ...["-c", 'mcp_servers.new={url="http://127.0.0.1:8000/mcp"}'],
    ]);
  });
});
