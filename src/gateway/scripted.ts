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

/** The agent's own shell tool with a command; undefined once its result is in the conversation, or where there is none. */
export function shellCall(body: Json, command: string): AskedTool | undefined {
  const names = listOf(body.tools).flatMap((tool) => [
    wordAt(tool, "name") || wordAt(tool, "function", "name"),
    ...listOf(tool.functionDeclarations).map((one) => wordAt(one, "name")),
  ]);
  const name = names.find((one) => Object.hasOwn(SHELLS, one));
  const isDone = /function_call_output|"tool_result"|"role":"tool"|functionResponse/.test(
    JSON.stringify(body),
  );
  return name === undefined || isDone ? undefined : { name, input: SHELLS[name]!(command) };
}

/** A model that costs nothing: it asks the agent for one shell command, by whatever the agent calls its shell, then is done. */
export function scriptedModel(command: string): Send {
  return async ({ incoming, outgoing, body }, onAnswer) => {
    const request = parseJson(body);
    const [path] = (incoming.url ?? "/").split("?") as [string];
    const said = standInAnswer(path, request, command === "" ? undefined : shellCall(request, command));
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
