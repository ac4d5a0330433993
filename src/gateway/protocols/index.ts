import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import type { Protocol } from "./protocol.ts";
import { responses } from "./responses.ts";

export const PROTOCOLS: readonly Protocol[] = [responses, chat, anthropic, gemini];
