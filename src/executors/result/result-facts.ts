/** What the result files of all runs of a launch have in common, as plain data. */
export interface ResultFacts {
  name: string;
  target: string;
  /** Which state of the target's code was measured. */
  program: string;
  tags: string[];
  notes: string | null;
  spec: { path: string; hash: string };
  environment: Record<string, unknown>;
  packages: Record<string, string>;
  vcs: {
    commit: string;
    committedAt: string;
    branch: string;
    dirty: boolean;
    diffHash: string | null;
  } | null;
}
