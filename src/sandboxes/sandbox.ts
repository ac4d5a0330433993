/** Files by their path below the root, with `/` between folders. */
export type FileTree = ReadonlyMap<string, string>;

/** Where an agent's tools work. Nothing that they do there may reach the files that it was opened with. */
export interface Sandbox {
  name: string;
  description: string;
  /** A workspace with a copy of these files. What the machine refuses is thrown as a SandboxError. */
  open(files: FileTree, options: OpenOptions): Promise<Workspace>;
}

export interface OpenOptions {
  /** A folder in which a workspace on disk may be made; the system's folder for temporary files where null. */
  parentDir: string | null;
}

export interface Workspace {
  /** Runs one command line. It never throws for what the command does. */
  run(command: string, limits: CommandLimits): Promise<CommandResult>;
  /** The text of a file; undefined where there is none, or where it lies outside. */
  read(path: string): Promise<string | undefined>;
  /** Writes a file; false where that can't be. */
  write(path: string, text: string): Promise<boolean>;
  /** All text files as they are now. */
  snapshot(): Promise<FileTree>;
  /** Ends what still runs and removes the copy. */
  close(): Promise<void>;
}

export interface CommandLimits {
  timeoutMs: number;
  /** Kept of what the command prints: its beginning and its end. */
  outputBytes: number;
  signal: AbortSignal;
}

export interface CommandResult {
  /** Standard output and standard error as they came. */
  output: string;
  /** Null where a signal or the time limit ended it. */
  exitCode: number | null;
  isTimeout: boolean;
  /** Bytes that were not kept. */
  omittedBytes: number;
}

/** What the machine refused: not the agent's fault. */
export class SandboxError extends Error {
  override name = "SandboxError";
}
