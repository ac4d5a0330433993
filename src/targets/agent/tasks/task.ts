import type { FileTree, TreeRest } from "../../../sandboxes/sandbox.ts";

/** A repository with something wrong, and how to tell whether it was put right. */
export interface AgentTask {
  id: string;
  level: string;
  instruction: string;
  /** Runs the tests that the agent may see. */
  test: string;
  /** Runs the tests that grade, once they are in the copy. */
  check: string;
  /** The last line that the check prints when all is well: code that ends it early can't fake its exit code. */
  passes: string | undefined;
  /** What the check has to report, with its proof; stays outside of the graded copy. Absent: its exit and \`passes\` count. */
  answers?: unknown;
  /** What the agent gets. */
  files: FileTree;
  /** What is added for grading. */
  checkFiles: FileTree;
  /** What either has beside texts; absent where that is nothing. */
  rest?: TreeRest;
  checkRest?: TreeRest;
}
