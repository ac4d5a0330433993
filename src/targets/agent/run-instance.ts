import type { Message } from "../../core/message.ts";
import { usdText } from "../../core/number-text.ts";
import { type Model, ModelError } from "../../models/model.ts";
import type { RunTrace } from "../../models/trace.ts";
import type { Workspace } from "../../sandboxes/sandbox.ts";
import { Conversation, type ConversationOptions } from "./conversation.ts";
import { type Exit, exitOfError, exitWith } from "./exit.ts";
import { Ledger } from "./ledger.ts";
import type { AgentParams } from "./params.ts";
import { makePatch } from "./patch/make-patch.ts";
import type { AgentTask } from "./tasks/task.ts";
import { toolSpecs } from "./tools.ts";
import { type Step, Turns } from "./turns.ts";

export interface InstanceSetting extends Pick<ConversationOptions, "strategy" | "strategyOptions"> {
  params: AgentParams;
  model: Model;
  summariser: Model;
  workspace: Workspace;
  seed: number;
  signal: AbortSignal;
  trace?: Pick<RunTrace, "traceTool">;
  /** Where earlier attempts at the instance are accounted already: limits hold for all of them together. */
  before?: { ledger: Ledger; wallMs: number };
  onStep?(step: Step, ledger: Ledger): void;
}

export interface InstanceResult {
  instance: string;
  /** `submitted`, an exit, or `submitted (exit)`: what was there at that exit was handed in. */
  exitStatus: string;
  exit: Exit;
  /** The patch; null where none was handed in. */
  submission: string | null;
  steps: Step[];
  messages: readonly Message[];
  ledger: Ledger;
  wallMs: number;
  /** What of its changes could not be handed in. */
  warnings: string[];
}

const UNTRACED: Pick<RunTrace, "traceTool"> = { traceTool: (_, run) => run() };

/** Lets the agent work on one task until it submits, a limit ends it, or something breaks. Never throws for these. */
export async function runInstance(task: AgentTask, setting: InstanceSetting): Promise<InstanceResult> {
  const { params, model, workspace, seed, signal, strategy, strategyOptions, summariser } = setting;
  const start = performance.now();
  const { ledger, wallMs: earlierMs } = setting.before ?? { ledger: new Ledger(), wallMs: 0 };
  const conversation = new Conversation(task, {
    strategy,
    strategyOptions,
    extractActions: params.extract_actions,
    summariser,
    ledger,
    seed,
    maxOutputTokens: params.output_tokens,
    signal,
  });
  const turns = new Turns({
    params,
    workspace,
    signal,
    conversation,
    ledger,
    trace: setting.trace ?? UNTRACED,
  });
  const steps: Step[] = [];
  let exit: Exit | undefined;
  while (!exit) {
    try {
      exit = limitReached(params, ledger, earlierMs + performance.now() - start);
      if (exit) break;
      const before = { summaries: conversation.checkpoints.length, cost: ledger.accounts.summary.costUsd };
      const view = await conversation.view();
      const promptTokens = model.countTokens(view.messages, toolSpecs);
      const window = params.context_limit || model.contextTokens;
      if (window !== null && promptTokens >= window) {
        exit = exitWith("exit_context", `the prompt has ${promptTokens} tokens of ${window}`);
        break;
      }
      const answer = await model.complete({
        messages: view.messages,
        tools: toolSpecs,
        purpose: "agent",
        seed,
        maxOutputTokens: params.output_tokens,
        temperature: params.temperature,
        signal,
      });
      ledger.add("agent", answer);
      const turn = await turns.take(answer.message);
      exit = turn.exit;
      const { usage, costUsd, wallMs: modelMs } = answer;
      const step: Step = {
        ...turn.step,
        usage,
        costUsd,
        modelMs,
        promptTokens,
        masked: view.masked,
        summaryCostUsd: minus(ledger.accounts.summary.costUsd, before.cost),
      };
      const checkpoint = conversation.checkpoints.slice(before.summaries).at(-1);
      if (checkpoint) step.checkpoint = checkpoint.text;
      steps.push(step);
      setting.onStep?.(step, ledger);
    } catch (error) {
      if (error instanceof ModelError) ledger.addLost("agent", error.costUsd);
      // A call that still waited is not the agent's time.
      exit =
        signal.aborted && !(error instanceof ModelError)
          ? exitWith("exit_total_execution_time", "the run is past its time")
          : exitOfError(error, { hasAnswered: steps.length > 0 });
    }
  }
  const warnings: string[] = [];
  const submission = await handIn(task, exit, { workspace, warn: (text) => warnings.push(text) });
  return {
    instance: task.id,
    exitStatus:
      submission === null || exit.status === "submitted" ? exit.status : `submitted (${exit.status})`,
    exit,
    submission,
    steps,
    messages: conversation.messages,
    ledger,
    wallMs: performance.now() - start,
    warnings,
  };
}

/** What the agent changed. At an exit other than its own, only a change is worth handing in. */
async function handIn(
  task: AgentTask,
  exit: Exit,
  { workspace, warn }: { workspace: Workspace; warn(text: string): void },
): Promise<string | null> {
  if (exit.status === "exit_forfeit" || exit.owner === "infrastructure") return null;
  try {
    const patch = makePatch(task.files, await workspace.snapshot({ known: task.files, warn }));
    return patch === "" && exit.status !== "submitted" ? null : patch;
  } catch {
    return null;
  }
}

function limitReached(params: AgentParams, ledger: Ledger, wallMs: number): Exit | undefined {
  const { calls, costUsd, input, cached, output } = ledger.total;
  const tokens = input + cached + output;
  if (params.call_limit > 0 && calls >= params.call_limit)
    return exitWith("exit_cost_calls", `${calls} calls were made`);
  if (params.cost_limit > 0 && costUsd === null)
    return exitWith("exit_environment_error", "a price is unknown, so cost_limit can't be kept");
  if (params.cost_limit > 0 && costUsd! >= params.cost_limit)
    return exitWith("exit_cost", `it has cost ${usdText(costUsd!)} of ${usdText(params.cost_limit)}`);
  if (params.token_limit > 0 && tokens >= params.token_limit)
    return exitWith("exit_cost_tokens", `${tokens} tokens of ${params.token_limit} were used`);
  if (params.wall_limit > 0 && wallMs >= params.wall_limit * 1000)
    return exitWith("exit_total_execution_time", `it took longer than ${params.wall_limit} s`);
  return undefined;
}

function minus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}
