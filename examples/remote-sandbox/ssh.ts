import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { defineSandbox, openCopy, type ProgramSandbox, SandboxError } from "assay/plugin";

type Program = Parameters<ProgramSandbox["execute"]>[0];
type Result = Awaited<ReturnType<ProgramSandbox["execute"]>>;

/** Where to, as ssh knows it, such as `me@build-7`; and how: one connection serves all calls. */
const HOST = process.env.SANDBOX_SSH_HOST ?? "";
const SSH = (
  process.env.SANDBOX_SSH ??
  "ssh -o BatchMode=yes -o ControlMaster=auto -o ControlPath=~/.ssh/assay-%C -o ControlPersist=60"
).split(" ");

/** Each program runs on another host, in bubblewrap there. Its folders travel there and back. */
const ssh: ProgramSandbox = {
  name: "ssh",
  description: "another host by ssh, which needs tar and bubblewrap: SANDBOX_SSH_HOST names it",
  isolates: ["files", "processes", "network"],
  async problem() {
    if (HOST === "") return "SANDBOX_SSH_HOST names no host, such as me@build-7";
    const { code, stderr } = await remote(
      "command -v tar bwrap >/dev/null || { echo 'tar or bubblewrap is missing there' >&2; exit 1; }",
    );
    return code === 0 ? undefined : `${HOST}: ${stderr.trim() || `ssh ended with ${code}`}`;
  },
  open: async (files, options) => openCopy(ssh, files, options),
  async execute(program): Promise<Result> {
    const made = await asked("mktemp -d /tmp/assay-ssh.XXXXXXXX");
    const place = made.trim();
    try {
      const mounts = [
        ...program.writable.map((mount) => ({ ...mount, kind: "--bind" })),
        ...program.readable.map((mount) => ({ ...mount, kind: "--ro-bind" })),
      ].map((mount, i) => ({ ...mount, as: mount.as ?? mount.path, there: `${place}/${i}` }));
      for (const { path, there } of mounts) await send(path, there);
      const result = await run(program, place, mounts);
      for (const { path, there } of mounts.slice(0, program.writable.length)) await bring(there, path);
      return result;
    } finally {
      await asked(`rm -rf ${place}`);
    }
  },
};

export default defineSandbox(ssh);

interface Travelled {
  kind: string;
  /** On this machine, as the program sees it, and where it lies there. */
  path: string;
  as: string;
  there: string;
}

async function run(program: Program, place: string, mounts: readonly Travelled[]): Promise<Result> {
  const { argv, cwd, env, network, reach = [], timeoutMs, signal } = program;
  const home = mounts.find(({ path }) => cwd === path || cwd.startsWith(`${path}/`));
  const inside = home ? home.as + cwd.slice(home.path.length) : cwd;
  const isAlone = !network && reach.length === 0;
  const words = [
    ...[
      "bwrap",
      "--die-with-parent",
      "--unshare-pid",
      "--unshare-ipc",
      ...(isAlone ? ["--unshare-net"] : []),
    ],
    ...["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", "--proc", "/proc", "--dev", "/dev"],
    ...["bin", "sbin", "lib", "lib64"].flatMap((name) => ["--symlink", `usr/${name}`, `/${name}`]),
    ...["--tmpfs", "/tmp", "--tmpfs", "/run", ...mounts.flatMap(({ kind, there, as }) => [kind, there, as])],
    ...["--chdir", inside, "--clearenv"],
    ...Object.entries({ PATH: "/usr/local/bin:/usr/bin:/bin", HOME: inside, ...env }).flatMap(
      ([name, value]) => ["--setenv", name, value],
    ),
    ...argv,
  ];
  // The words go by standard input: a list of processes would show the environment.
  const script = `exec setsid --wait sh -c 'echo $$ > ${place}/pid; exec "$@" </dev/null' sh ${words.map(quoted).join(" ")}\n`;
  // Models on this machine's loopback, such as the gateway, are found there under the same port.
  const tunnels = reach
    .filter(({ host }) => host === "127.0.0.1")
    .flatMap(({ port }) => ["-R", `${port}:127.0.0.1:${port}`]);
  const startMs = performance.now();
  const child = start(["sh", "-s"], { tunnels, script });
  program.onStart?.();
  const outputs = [
    keep(child.stdout!, program.stdoutPath, program.outputBytes),
    keep(child.stderr!, program.stderrPath, program.outputBytes),
  ];
  let ended: Result["ended"];
  const end = (why: NonNullable<Result["ended"]>) => {
    ended ??= why;
    // All that it started is in a namespace that ends with it.
    void remote(`kill -KILL -- -$(cat ${place}/pid)`).then(() => child.kill());
  };
  const timer = timeoutMs > 0 ? setTimeout(() => end("timeout"), timeoutMs) : undefined;
  const cancel = () => end("cancelled");
  signal.addEventListener("abort", cancel);
  const exitCode = await exitOf(child);
  clearTimeout(timer);
  signal.removeEventListener("abort", cancel);
  const omitted = await Promise.all(outputs);
  if (exitCode === 255 && ended === undefined && (await remote("true")).code !== 0)
    throw new SandboxError(`the connection to ${HOST} was lost`);
  const wallMs = performance.now() - startMs;
  return { exitCode, wallMs, omittedBytes: omitted.reduce((a, b) => a + b, 0), ...(ended && { ended }) };
}

/** A folder's content, or a file, into a place there. */
async function send(path: string, there: string): Promise<void> {
  const isFolder = statSync(path).isDirectory();
  const from = isFolder ? ["-C", path, "."] : ["-C", join(path, ".."), path.split("/").at(-1)!];
  const unpack = isFolder ? `mkdir ${there} && tar -x -C ${there}` : `tar -x -O > ${there}`;
  await pipe(spawn("tar", ["-c", ...from], { stdio: ["ignore", "pipe", "inherit"] }), start([unpack]));
}

/** What is there now takes the place of what was here: a file that the program removed is gone. */
async function bring(there: string, path: string): Promise<void> {
  for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  const unpack = spawn("tar", ["-x", "-C", path], { stdio: ["pipe", "ignore", "inherit"] });
  await pipe(start([`tar -c -C ${there} .`], { isOpen: true }), unpack);
}

async function pipe(from: ChildProcess, to: ChildProcess): Promise<void> {
  from.stdout!.pipe(to.stdin!);
  to.stdin!.on("error", () => {});
  const codes = await Promise.all([exitOf(from), exitOf(to)]);
  if (codes.some((code) => code !== 0)) throw new SandboxError(`files could not travel to or from ${HOST}`);
}

function start(
  command: string[],
  { tunnels = [], script, isOpen = false }: { tunnels?: string[]; script?: string; isOpen?: boolean } = {},
): ChildProcess {
  const child = spawn(SSH[0]!, [...SSH.slice(1), ...tunnels, HOST, ...command], {
    stdio: [isOpen ? "ignore" : "pipe", "pipe", "pipe"],
  });
  if (script !== undefined) child.stdin!.end(script);
  return child;
}

/** Runs a command there to its end. */
async function remote(command: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = start([command], { isOpen: true });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]!.setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
    });
  return { code: await exitOf(child), ...said };
}

async function asked(command: string): Promise<string> {
  const { code, stdout, stderr } = await remote(command);
  if (code !== 0) throw new SandboxError(`${HOST}: ${stderr.trim() || `ssh ended with ${code}`}`);
  return stdout;
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", (error) => reject(new SandboxError(`ssh can't be started: ${error.message}`)));
  });
}

/** The beginning of what a program prints; how many bytes were not kept. */
async function keep(from: NodeJS.ReadableStream, path: string, most: number): Promise<number> {
  const file = createWriteStream(path);
  let left = most;
  let omitted = 0;
  for await (const bytes of from as AsyncIterable<Buffer>) {
    const part = bytes.subarray(0, left);
    left -= part.length;
    omitted += bytes.length - part.length;
    if (part.length > 0) file.write(part);
  }
  await new Promise<void>((resolve) => file.end(resolve));
  return omitted;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
