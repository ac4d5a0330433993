import type { Message, ToolCall } from "../../core/message.ts";
import type { Usage } from "../../core/trajectory.ts";
import type { RunTrace } from "../../models/trace.ts";
import type { Workspace } from "../../sandboxes/sandbox.ts";
import { type Conversation, formatComplaint } from "./conversation.ts";
import { type Exit, exitWith } from "./exit.ts";
import type { Ledger } from "./ledger.ts";
import type { AgentParams } from "./params.ts";
import { checkCall } from "./tools.ts";
import { useTool } from "./use-tool.ts";

/** As many commands in a row that take too long end the run. */
const MOST_TIMEOUTS = 3;
/** Calls of one answer that are carried out; the others are told so. */
const MOST_CALLS = 8;

interface TurnSetting {
  params: AgentParams;
  workspace: Workspace;
  signal: AbortSignal;
  conversation: Conversation;
  ledger: Ledger;
  trace: Pick<RunTrace, "traceTool">;
}

interface Taken {
  step: Pick<Step, "turn" | "thought" | "action" | "observation" | "toolMs">;
  exit: Exit | undefined;
}

/** Carries out what the model asks for, turn by turn, and notices when it gets nowhere. */
export class Turns {
  readonly #setting: TurnSetting;
  #turn = 0;
  #badAnswers = 0;
  #timeouts = 0;
  #repeats = 0;
  #last = "";

  constructor(setting: TurnSetting) {
    this.#setting = setting;
  }

  async take(answer: Message): Promise<Taken> {
    const { conversation, ledger } = this.#setting;
    const turn = ++this.#turn;
    const calls = answer.toolCalls ?? [];
    conversation.add({ ...answer, role: "assistant", kind: "action", turn });
    const start = performance.now();
    const { observations, exit } =
      calls.length === 0 ? this.#complain(turn) : await this.#carryOut(calls, turn);
    const toolMs = performance.now() - start;
    ledger.toolMs += toolMs;
    const action = calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`).join("\n");
    const observation = observations.join("\n");
    return {
      step: { turn, thought: answer.text, action, observation, toolMs },
      exit: exit ?? this.#noticeRepeats(`${action}\0${observation}`),
    };
  }

  /** An answer without a call. */
  #complain(turn: number): { observations: string[]; exit: Exit | undefined } {
    const text = formatComplaint("It calls no tool.");
    this.#setting.conversation.add({ role: "user", text, kind: "notice", turn });
    return { observations: [text], exit: this.#countBad("an answer without a tool call") };
  }

  async #carryOut(calls: readonly ToolCall[], turn: number) {
    const { conversation, params, workspace, signal, trace } = this.#setting;
    const observations: string[] = [];
    let exit: Exit | undefined;
    for (const [i, { id, name, input }] of calls.entries()) {
      const call = checkCall(name, input);
      let text: string;
      let kind: Message["kind"] = "observation";
      if (exit || i >= MOST_CALLS) text = "error: this call was not carried out";
      else if (typeof call === "string") {
        text = formatComplaint(call);
        kind = "notice";
        exit = this.#countBad(call);
      } else if (call.name === "submit") {
        exit = call.input.forfeit
          ? exitWith("exit_forfeit", "the agent gave up")
          : exitWith("submitted", "the agent submitted");
        text = "submitted";
      } else {
        this.#badAnswers = 0;
        const timeoutMs = params.command_timeout * 1000;
        const limits = { timeoutMs, outputCharacters: params.output_limit, signal };
        const told = await trace.traceTool({ id, name }, () => useTool(call, workspace, limits));
        signal.throwIfAborted();
        text = told.text;
        this.#timeouts = told.isTimeout ? this.#timeouts + 1 : 0;
        if (this.#timeouts >= MOST_TIMEOUTS)
          exit = exitWith("exit_command_timeout", `${MOST_TIMEOUTS} commands in a row took too long`);
      }
      observations.push(text);
      conversation.add({ role: "tool", text, toolCallId: id, kind, turn });
    }
    return { observations, exit };
  }

  #countBad(why: string): Exit | undefined {
    this.#badAnswers++;
    if (this.#badAnswers <= this.#setting.params.format_retries) return undefined;
    return exitWith(
      "exit_format",
      `${this.#badAnswers} answers in a row could not be used; the last: ${why}`,
    );
  }

  #noticeRepeats(what: string): Exit | undefined {
    const { repeat_limit: limit } = this.#setting.params;
    this.#repeats = what === this.#last ? this.#repeats + 1 : 1;
    this.#last = what;
    if (limit === 0 || this.#repeats < limit) return undefined;
    return exitWith("exit_repetitive_action", `the same action with the same result ${limit} times in a row`);
  }
}

/** What one turn of an instance was, for series and trajectories. */
export interface Step {
  turn: number;
  thought: string;
  action: string;
  observation: string;
  usage: Usage;
  costUsd: number | null;
  /** Of summaries that were written before this turn. */
  summaryCostUsd: number | null;
  modelMs: number;
  toolMs: number;
  masked: number;
  promptTokens: number;
  /** The checkpoint that was made before this turn. */
  checkpoint?: string;
}
