/** One message of the conversation between an agent, its model and its tools. */
export interface Message {
  role: "system" | "user" | "assistant" | "tool";
  text: string;
  /** What the assistant asks for. */
  toolCalls?: ToolCall[];
  /** Of a tool's answer: which call it answers. */
  toolCallId?: string;
  /** What it is, beyond who says it; strategies go by this. */
  kind: "system" | "task" | "demo" | "action" | "observation" | "checkpoint" | "notice";
  /** The agent's turn that it belongs to, from 1; 0 before the first. */
  turn: number;
}

export interface ToolCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}
