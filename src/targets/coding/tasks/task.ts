/** A task for a coding agent, in whatever format it was written. Nothing of it changes after it has been read. */
export interface RolloutTask {
  /** What its file calls it; the folder's name where it says nothing. */
  id: string;
  title: string | null;
  tags: string[];
  format: string;
  /** The folder that it was read from, which nobody ever writes to. */
  dir: string;
  /** What the agent is told. */
  instruction: string;
  source: RepoSource;
  /** Changes to every copy of the source, before the agent sees it. */
  overlay: Overlay;
  /** For the agent and the tests. */
  env: Record<string, string>;
  grading: Grading;
  limits: TaskLimits;
  /** Where its texts and tests believe the repository to be, such as `/app`; null where any place will do. */
  workDir: string | null;
  /** The container image that it is meant for, for sandboxes that have images. */
  image: string | null;
  /** The folder with the Dockerfile that the image is built from; null where the task has none. */
  build: ImageBuild | null;
  /** Why it can't be run here at all, such as the services that it needs. */
  refusal?: string;
  /** Stages that follow each other in the task's machine; what they share is the task's. */
  steps?: TaskStep[];
  /** Which of the steps' rewards counts: their mean, or that of the last one. */
  rewardOf?: "mean" | "final";
  /** What has to succeed in its machine before agents and tests start. */
  health?: HealthCheck;
  /** Servers of tools for its agent. */
  mcpServers?: McpServer[];
  /** Who programs are in its machine, where not whom the image says. */
  users?: { agent?: string; verifier?: string };
  /** Set where the task runs in its own image, which is then all of its machine. */
  machine?: TaskMachine;
  /** The task's own solution, for the agent `oracle`. */
  solution: Solution | null;
  /** Whoever passes its tests has not solved it: they ask for what can't be. */
  isImpossible?: boolean;
  /** What the task asks for and is not done here. */
  warnings: string[];
  /** What is missing where the task runs elsewhere than in its own image. */
  withoutImage?: string[];
}

/** A script in the task's folder, or a patch: a file, or a text that would be called so. */
export interface Solution {
  kind: "script" | "patch";
  path: string;
  text?: string;
  env?: Record<string, string>;
}

export interface TaskStep
  extends Pick<RolloutTask, "instruction" | "grading" | "limits" | "solution" | "health" | "users"> {
  name: string;
  /** A folder whose content goes into the work folder before the agent starts; its setup.sh runs there. */
  files: string | null;
  /** Rewards that have to be reached for the next step to happen. */
  least: Record<string, number>;
}

/** As docker has it: failures within the start period don't count. */
export interface HealthCheck {
  /** For a shell; 0 is healthy. */
  command: string;
  intervalS: number;
  timeoutS: number;
  startPeriodS: number;
  startIntervalS: number;
  retries: number;
}

/** A server of the Model Context Protocol: a program that the agent starts, or an address. */
export interface McpServer {
  name: string;
  transport: "stdio" | "sse" | "streamable-http";
  url?: string | undefined;
  command?: string | undefined;
  args: string[];
  headers: Record<string, string>;
}

export interface ImageBuild {
  dir: string;
  timeoutMs: number;
  /** An image that was built from it before, which need only be there. */
  prebuilt?: string | undefined;
}

/** The image that a task runs in: its agent and its tests have all of it, not only a folder. */
export interface TaskMachine {
  image: string;
  workDir: string;
  /** Its PATH, where it has one. */
  path?: string;
  /** Whether it starts something of its own first, by an ENTRYPOINT. */
  boots?: boolean;
}

/** Where the repository comes from. */
export type RepoSource =
  | { kind: "folder"; dir: string }
  | {
      kind: "git";
      url: string;
      branch: string | null;
      commit: string | null;
      /** Only this folder of it is the repository. */
      subdir: string | null;
      sparse: string[];
    }
  /** A folder of an image, which its engine copies out. */
  | { kind: "image"; image: string; folder: string; copyOut(to: string): Promise<void> }
  | { kind: "empty" };

export interface Overlay {
  /** Texts by path in the repository. */
  files: Record<string, string>;
  /** Files of the disk that are copied in, by path in the repository. */
  copies: Record<string, string>;
  remove: string[];
}

export interface Grading {
  rubrics: Rubric[];
  tests: TestScript[];
  /** Files that are put into the graded copy only, so that no agent ever sees them: texts by path in the copy. */
  files: Record<string, string>;
  /** Folders that are there only while grading: the path as the tests know it (such as `/tests`), and what is laid there, in turn. */
  mounts: Record<string, string[]>;
  /** For the tests alone, beside the task's own. */
  env: Record<string, string>;
  /** "exit": a test passes when it ends with 0. "reward": one test, which leaves a reward in a file. */
  verdict: "exit" | "reward";
  /** Prints one JSON object of numbers, the task's own metrics; the path of one of `files`. */
  metricsScript: string | null;
}

export interface Rubric {
  id: string;
  criterion: string;
  weight: number;
}

export interface TestScript {
  /** Its path in the copy, where it is written before it runs. */
  path: string;
  rubricId: string | null;
  content: string;
  /** What it has to report, with its proof (\`agent/proof.ts\`), beside ending with 0; it never enters the graded copy. */
  answer?: unknown;
}

/** What is absent was not said, and the study's own limits hold. */
export interface TaskLimits {
  agentMs?: number;
  graderMs?: number;
  memoryMb?: number;
  diskMb?: number;
  cpus?: number;
  allowInternet?: boolean;
  /** Of the tests, where it is another one. */
  graderInternet?: boolean;
}

/** A format of task folders. A folder that is in it but lacks something is a UserError that names the file. */
export interface TaskReader {
  name: string;
  description: string;
  /** The files by which it knows its folders, for who has none of them. */
  looksFor: string;
  detects(dir: string): boolean;
  read(dir: string, options: ReadOptions): RolloutTask;
}

export interface ReadOptions {
  /** Whether overrides hold: the task's own overrides.json, or the file that is named. */
  applyOverrides: boolean;
  overrides: string | null;
}
