import { numberAt, valueAt } from "../../core/nest-params.ts";
import { inputOf, listOf, messageOfError, type Protocol, type Said, textOf, wordAt } from "./protocol.ts";

/** Gemini's generateContent, streamed and whole. */
export const gemini: Protocol = {
  name: "gemini",
  vendor: "google",
  calls: /^\/v1(beta)?\/models\/[^/:]+:(generateContent|streamGenerateContent)$/,
  asks: /^\/v1beta\/|^\/v1\/models\/[^/:]+:/,
  modelOf: (path) => /\/models\/([^/:]+):/.exec(path)?.[1] ?? null,
  mostOutput: (body) => numberAt(body, "generationConfig", "maxOutputTokens"),
  addUsage(usage, event) {
    const told = valueAt(event, "usageMetadata");
    const prompt = numberAt(told, "promptTokenCount");
    if (prompt === undefined) return usage;
    const cached = numberAt(told, "cachedContentTokenCount") ?? 0;
    const reasoning = numberAt(told, "thoughtsTokenCount") ?? 0;
    return {
      ...{ input: prompt - cached, cached, reasoning },
      output: (numberAt(told, "candidatesTokenCount") ?? 0) + reasoning,
    };
  },
  errorIn: messageOfError,
  refusalStatus: 402,
  refusal: (text) => ({ error: { code: 402, status: "RESOURCE_EXHAUSTED", message: text } }),
  readPrompt(body) {
    const system = partsText(valueAt(body, "systemInstruction", "parts"));
    const ids = new CallIds();
    return {
      messages: [
        ...(system === "" ? [] : [{ role: "system" as const, text: system }]),
        ...listOf(body.contents).flatMap(({ role, parts }) => readContent(role, parts, ids)),
      ],
      tools: listOf(body.tools).flatMap((tool) =>
        listOf(tool.functionDeclarations).map((one) => wordAt(one, "name")),
      ),
    };
  },
  addAnswer(answer, event) {
    const [candidate] = listOf(event.candidates);
    for (const part of listOf(valueAt(candidate, "content", "parts"))) {
      if (typeof part.text === "string")
        answer.part(0, part.thought === true ? "thought" : "text").text += part.text;
      const call = valueAt(part, "functionCall");
      if (call === undefined) continue;
      const text = JSON.stringify(valueAt(call, "args") ?? {});
      const known = { id: wordAt(call, "id"), name: wordAt(call, "name"), text };
      Object.assign(answer.part(answer.calls.length, "call"), known);
    }
  },
};

/** Calls need no id there: their answers come in the same order. */
class CallIds {
  #calls = 0;
  #answers = 0;

  ofCall = (call: unknown) => wordAt(call, "id") || `call-${++this.#calls}`;
  ofAnswer = (answer: unknown) => wordAt(answer, "id") || `call-${++this.#answers}`;
}

function readContent(role: unknown, parts: unknown, ids: CallIds): Said[] {
  const said: Said[] = [];
  const text = partsText(parts);
  const toolCalls = listOf(parts).flatMap(({ functionCall: call }) =>
    call === undefined
      ? []
      : { id: ids.ofCall(call), name: wordAt(call, "name"), input: inputOf(valueAt(call, "args")) },
  );
  for (const { functionResponse: answer } of listOf(parts)) {
    if (answer === undefined) continue;
    const response = valueAt(answer, "response");
    const output = valueAt(response, "output") ?? valueAt(response, "error") ?? response;
    said.push({ role: "tool", text: textOf(output), toolCallId: ids.ofAnswer(answer) });
  }
  if (text !== "" || toolCalls.length > 0)
    said.push({
      role: role === "model" ? "assistant" : "user",
      text,
      ...(toolCalls.length > 0 && { toolCalls }),
    });
  return said;
}

function partsText(parts: unknown): string {
  return textOf(listOf(parts).filter(({ text, thought }) => typeof text === "string" && thought !== true));
}
