import { type Member, markMember } from "../core/family.ts";

/** Files by their path below the root, with `/` between folders. */
export type FileTree = ReadonlyMap<string, string>;

/** What a folder has beside its texts. It goes into every copy as it is; no patch tells of it. */
export interface TreeRest {
  /** Files that are no text or very large: the path below the root, and the file on the disk that it is a copy of. */
  copies: ReadonlyMap<string, string>;
  /** Links, with where they lead to. */
  links: ReadonlyMap<string, string>;
  /** Texts that may be started as programs. */
  executables: ReadonlySet<string>;
}

/** Where an agent's tools work. Nothing that they do there may reach the files that it was opened with. */
export interface Sandbox extends Member {
  description: string;
  /** Why it can't be used on this machine, with a remedy; undefined where it can. Absent: it always can. */
  problem?(): Promise<string | undefined>;
  /** A workspace with a copy of these files. What the machine refuses is thrown as a SandboxError. */
  open(files: FileTree, options: OpenOptions): Promise<Workspace>;
}

/** Declares a sandbox of your own: `export default defineSandbox({...})`. */
export function defineSandbox<S extends Sandbox>(sandbox: S): S {
  return markMember("sandbox", sandbox);
}

export interface OpenOptions {
  /** A folder in which a workspace on disk may be made; the system's folder for temporary files where null. */
  parentDir: string | null;
  /** For workspaces on disk; those in memory have texts alone. */
  rest?: TreeRest | undefined;
}

/** A program to run in a sandbox, on folders that are there already. */
export interface SandboxedProgram {
  argv: string[];
  /** Where it starts: one of the writable folders, or below one. */
  cwd: string;
  /** All that it gets: nothing of our own environment is passed on but PATH, LANG and the marks of the run. */
  env: Record<string, string>;
  /** Folders that it may write to, seen inside under the same path unless `as` says otherwise. */
  writable: Mount[];
  /** Folders or files that it may only read, where a sandbox hides the rest. */
  readable: Mount[];
  /** All that this machine reaches, its own services included. */
  network: boolean;
  /** What it reaches without a network: a sandbox that can't hold it to these gives it a network. */
  reach?: readonly Destination[];
  /** 0 is none. */
  timeoutMs: number;
  memoryMb: number;
  /** Processors, for sandboxes that can hold it to so many; 0 or absent is no limit. */
  cpus?: number;
  /** Of all that it leaves in the writable folders; it is ended when there is more. 0 is no limit. */
  diskMb: number;
  /** What it prints goes there, standard output and standard error apart, each capped. */
  stdoutPath: string;
  stderrPath: string;
  outputBytes: number;
  signal: AbortSignal;
  /** An image for sandboxes that have images. */
  image?: string;
  /** The image is the program's whole machine, not only where its interpreter comes from. */
  machine?: ImageMachine;
  /** Where its folder for temporary files is made; the system's where absent. */
  tmpParent?: string;
  /** Told once it runs. */
  onStart?(): void;
}

/**
 * What an image is to a program that was made for it: it has the image's user, starts in the image's work folder, and may
 * write everywhere.
 */
export interface ImageMachine {
  /** Whether the image's ENTRYPOINT starts first, and is to start the program. */
  boots?: boolean;
  /** Whether what it leaves there is kept, as an image that another program can start from. */
  keeps: boolean;
}

export interface Destination {
  host: string;
  port: number;
}

export interface Mount {
  path: string;
  /** Where it is seen inside; only sandboxes with a file system of their own can do that. */
  as?: string;
}

export interface ProgramResult {
  /** Null where a signal ended it. */
  exitCode: number | null;
  /** Why we ended it; undefined where it ended by itself. */
  ended?: "timeout" | "memory" | "disk" | "processes" | "cancelled";
  wallMs: number;
  omittedBytes: number;
  /** What it left in its image, where that was to be kept and something was changed. */
  left?: LeftImage;
}

export interface LeftImage {
  /** To be removed by whoever asked for it. */
  image: string;
  /** One line per path, as engines tell it: `A /new`, `C /changed`, `D /deleted`. */
  changes: string[];
}

/** A sandbox that can also run whole programs. Nothing that a program starts is left when it has ended. */
export interface ProgramSandbox extends Sandbox {
  /** What it keeps apart, for messages and the record: files, processes, network. */
  isolates: readonly ("files" | "processes" | "network")[];
  execute(program: SandboxedProgram): Promise<ProgramResult>;
  /** Where its programs come from, if not from this machine. */
  images?: Images;
}

/** Images of a sandbox that has some. All that goes wrong is a SandboxError. */
export interface Images {
  /** The image of a task, built or found, once for all who ask at the same time and later. */
  prepare(wanted: WantedImage, options: { signal: AbortSignal }): Promise<PreparedImage>;
  /** Copies the content of a folder of an image into a folder of this machine, which is made. */
  copyOut(image: string, folder: string, to: string): Promise<void>;
  /** Whether it is gone. `isUnused`: it stays where a container has it. */
  remove(image: string, options?: { isUnused?: boolean }): Promise<boolean>;
  /** Those that were built for tasks. */
  list(): Promise<BuiltImage[]>;
  /** This machine's Node, to be mounted: the folder of the program inside. Refused where the image can't run it. */
  node(image: string | undefined): Promise<{ mount: Mount; path: string }>;
  /** Words that become another user of the image, print the mark, and start those that are given. */
  asUser(user: string, argv: readonly string[], mark: string): Promise<{ argv: string[]; mount: Mount }>;
}

export interface WantedImage {
  /** An image that is there already or can be had by its name; goes before the build. */
  name?: string | undefined;
  /** A folder with a Dockerfile, and a hash that stands for its content. */
  build?: { dir: string; hash: string } | undefined;
  timeoutMs: number;
  /** Whether its build has a network. */
  network: boolean;
}

export interface BuiltImage {
  name: string;
  /** With the layers that it shares with others. */
  bytes: number;
  /** 0 where nobody knows. */
  usedAtMs: number;
}

export interface PreparedImage {
  name: string;
  workDir: string;
  env: Record<string, string>;
  /** Whether it has an ENTRYPOINT. */
  boots: boolean;
  /** Whether it had to be built now. */
  isNew: boolean;
}

export interface Workspace {
  /** Runs one command line. It never throws for what the command does. */
  run(command: string, limits: CommandLimits): Promise<CommandResult>;
  /** The text of a file; undefined where there is none, or where it lies outside. */
  read(path: string): Promise<string | undefined>;
  /** Writes a file; false where that can't be. */
  write(path: string, text: string): Promise<boolean>;
  /** All text files as they are now. */
  snapshot(options?: SnapshotOptions): Promise<FileTree>;
  /** Ends what still runs and removes the copy. */
  close(): Promise<void>;
}

export interface SnapshotOptions {
  /** What was there at first: of these none is left out for its size or its number. */
  known?: FileTree;
  /** Files beside those that are taken in. */
  mostNew?: number;
  /** Told of what could not be taken in. */
  warn?(text: string): void;
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

/** The program is not there, or the sandbox hides it: trying again does not help. */
export class MissingProgramError extends SandboxError {
  override name = "MissingProgramError";
}
