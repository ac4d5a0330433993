import type { ModelRequest } from "../../src/models/model.ts";
import { TASK, TOOLS } from "./scripted/tiny-shop.ts";

/** The first request of an agent on a small task. */
export function aRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [{ role: "user", text: TASK, kind: "task", turn: 0 }],
    tools: TOOLS,
    purpose: "agent",
    seed: 1,
    signal: new AbortController().signal,
    ...changes,
  };
}
