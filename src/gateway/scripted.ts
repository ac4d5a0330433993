import { serveStored } from "./exchange.ts";
import { answer, type Send } from "./forward.ts";
import { type Json, listOf, parseJson, wordAt } from "./protocols/protocol.ts";
import { type AskedTool, standInAnswer } from "./stand-in.ts";

/** The arguments of the shell tool, by the name under which each agent's requests offer it. */
const SHELLS: Record<string, (command: string) => Json> = {
  exec_command: (cmd) => ({ cmd }),
  shell: (command) => ({ command: ["bash", "-lc", command] }),
  shell_command: (command) => ({ command }),
  Bash: (command) => ({ command, description: "does the task" }),
  bash: (command) => ({ command, description: "does the task" }),
  run_commands: (command) => ({ commands: [command] }),
  run_shell_command: (command) => ({ command, description: "does the task" }),
};

/** What a result of a tool is called in each protocol; a text that quotes one has a backslash before its quotes. */
const RESULTS = /"type":"(?:function_call_output|tool_result)"|"role":"tool"|"functionResponse":/g;

/**
 * The agent's own shell tool with the next of the commands, which is told by how many results the conversation has;
 * undefined once all are in, or where there is no shell.
 */
export function shellCall(body: Json, commands: readonly string[]): AskedTool | undefined {
  const names = listOf(body.tools).flatMap((tool) => [
    wordAt(tool, "name") || wordAt(tool, "function", "name"),
    ...listOf(tool.functionDeclarations).map((one) => wordAt(one, "name")),
  ]);
  const name = names.find((one) => Object.hasOwn(SHELLS, one));
  const done = JSON.stringify(body).match(RESULTS)?.length ?? 0;
  const command = commands[done];
  return name === undefined || !command
    ? undefined
    : { name, input: SHELLS[name]!(command), number: done + 1 };
}

/** A model that costs nothing: it asks the agent for shell commands, by whatever the agent calls its shell, then is done. */
export function scriptedModel(commands: readonly string[]): Send {
  return async ({ incoming, outgoing, body }, onAnswer) => {
    const request = parseJson(body);
    const [path] = (incoming.url ?? "/").split("?") as [string];
    const said = standInAnswer(path, request, shellCall(request, commands));
    if (said)
      return serveStored(
        { status: 200, contentType: said.contentType, body: said.text },
        { outgoing },
        onAnswer,
      );
    answer(outgoing, 404, { error: { message: "the stand-in for a provider has no such page" } });
    return { headers: {} };
  };
}
