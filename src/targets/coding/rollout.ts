import type { AgentWork } from "./agents/agent.ts";
import type { Grade } from "./grading/grade.ts";
import type { RolloutTask } from "./tasks/task.ts";
import type { Base, Change } from "./workspace/base.ts";

/** One rollout, as far as it came: what was asked, what the agent did, what it was worth. */
export interface Rollout {
  runId: string;
  /** As the study names it. */
  taskDir: string;
  seed: number;
  model: string;
  agent: string;
  sandbox: string;
  startedAtMs: number;
  task?: RolloutTask;
  base?: Pick<Base, "revision">;
  work?: AgentWork;
  change?: Change;
  grade?: Grade;
}
