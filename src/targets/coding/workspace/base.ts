/** How a patch went into a copy; "refused": it fits neither way, and the copy is as it was before. */
export type Applied =
  | { way: "plain" | "three-way" }
  | { way: "refused"; reason: string }
  /** Nothing was changed by the agent. */
  | { way: "empty" };

/** What an agent changed, against the copy that it was given. */
export interface Change {
  /** In git's format, binary files included; empty where nothing changed. */
  patch: string;
  /** Added and removed lines. */
  lines: number;
  files: string[];
  /** What was left out: sockets and the like, files that are far too large. */
  warnings: string[];
}

/**
 * A task's repository as the agent gets it, made once for all runs of a study and never written to afterwards. Each run
 * takes copies; what happens in one can't reach the base, another copy or the task.
 */
export interface Base {
  /** The pristine files. */
  readonly dir: string;
  /** Which state of the repository this is: the commit where there is one, a hash of the files otherwise. */
  readonly revision: string;
  /** What one copy takes on a disk. */
  readonly copyBytes: number;
  /** What of the repository is not there, such as its submodules. */
  readonly warnings: readonly string[];
  /** A fresh copy, with a git repository of its own in it if `withGit`. `dir` must not exist yet. */
  copyTo(dir: string, options: { withGit: boolean }): Promise<void>;
  /**
   * Whatever the agent did to `.git`, and whatever links it made: nothing outside of the copy is read. New files that
   * the task's `.gitignore` or one in the copy names are left out, as `git add --all` would; so are empty folders.
   */
  diff(copy: string): Promise<Change>;
  apply(copy: string, patch: string): Promise<Applied>;
}
