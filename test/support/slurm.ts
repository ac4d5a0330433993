import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { canRun, processesWith } from "./processes.ts";
import { freePort } from "./redis.ts";
import { waitFor } from "./wait-for.ts";

/** Debian's packages slurmctld, slurmd and slurm-client. */
const PROGRAMS = ["slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol"];

/**
 * Ends a daemon when its standard input does, so that none outlives the tests, however they end. A controller that is
 * killed before it has written its state forgets its jobs: it gets half a minute.
 */
const KEEPER = `"$@" & daemon=$!
read -r _
kill $daemon 2>/dev/null
left=150
while [ $left -gt 0 ]; do kill -0 $daemon 2>/dev/null || exit 0; sleep 0.2; left=$((left - 1)); done
kill -9 $daemon`;

/** Why Slurm can't be had here; undefined where it can. */
export function slurmMissing(): string | undefined {
  const missing = PROGRAMS.filter((program) => !canRun("sh", "-c", `command -v ${program}`));
  if (missing.length > 0)
    return `${missing.join(", ")} not installed (apt-get install slurmctld slurmd slurm-client)`;
  if (userInfo().uid !== 0) return "slurmd starts jobs for others only as root";
  const cgroups = "/sys/fs/cgroup";
  const hasCgroups = existsSync(cgroups) && readdirSync(cgroups).length > 0;
  return hasCgroups ? undefined : "there is no cgroup file system here, without which slurmd does not start";
}

/**
 * A real Slurm of its own, in a temporary folder and on free ports, without systemd, munge or cgroups: a controller,
 * the node `near` with eight processors in the partition `main`, and the node `far` in the partition `far`, where the
 * folder `hidden` is not what it is elsewhere: `await using slurm = await startSlurm()`.
 */
export async function startSlurm(): Promise<SlurmCluster> {
  for (let tries = 1; ; tries++) {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), "assay-slurm-")));
    for (const name of ["state", "hidden"]) mkdirSync(join(dir, name));
    const ports = [await freePort(), await freePort(), await freePort()];
    const cluster = new SlurmCluster(dir);
    writeFileSync(cluster.env.SLURM_CONF, configuration(dir, ports, 30));
    writeFileSync(cluster.impatientEnv.SLURM_CONF, configuration(dir, ports, 4));
    try {
      await cluster.start();
      return cluster;
    } catch (error) {
      const log = cluster.logs();
      await cluster[Symbol.asyncDispose]();
      // Another program may have taken a port meanwhile.
      if (tries < 3 && /Address already in use/i.test(log)) continue;
      throw new Error(`Slurm did not start: ${String(error)}\n${log}`);
    }
  }
}

class SlurmCluster implements AsyncDisposable {
  readonly dir: string;
  readonly env: { SLURM_CONF: string };
  /** With it, Slurm's programs give a controller up after four seconds; a busy machine may need more. */
  readonly impatientEnv: { SLURM_CONF: string };
  /** A folder that tasks on the node `far` can't look into; undefined where mounts are not allowed. */
  hidden: string | undefined;
  readonly #daemons: ChildProcess[] = [];
  #controller: ChildProcess | undefined;

  constructor(dir: string) {
    this.dir = dir;
    this.env = { SLURM_CONF: join(dir, "slurm.conf") };
    this.impatientEnv = { SLURM_CONF: join(dir, "impatient.conf") };
  }

  async start(): Promise<void> {
    const { SLURM_CONF } = this.env;
    this.#controller = this.#spawn(["slurmctld", "-D", "-i", "-f", SLURM_CONF]);
    this.#spawn(["slurmd", "-D", "-f", SLURM_CONF, "-N", "near"]);
    const far = ["slurmd", "-D", "-f", SLURM_CONF, "-N", "far"];
    const hidden = join(this.dir, "hidden");
    if (canRun("unshare", "--mount", "mount", "-t", "tmpfs", "none", hidden)) {
      this.hidden = hidden;
      this.#spawn([
        "unshare",
        "--mount",
        "sh",
        "-c",
        `mount -t tmpfs none ${hidden} && exec ${far.join(" ")}`,
      ]);
    } else this.#spawn(far);
    await waitFor(
      "the nodes to be idle",
      () => this.#tryAsk("sinfo", "-h", "-N", "-o", "%N %T") === "far idle\nnear idle",
      { everyMs: 50 },
    );
  }

  /** What one of Slurm's programs says. */
  ask(program: string, ...words: string[]): string {
    const env = { ...process.env, ...this.env };
    return execFileSync(program, words, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  }

  /** The states of all array tasks of a study, by `job_index`, ended ones included. */
  states(study: string): Record<string, string> {
    const rows = this.ask("squeue", "-h", "-r", "--states=all", "-o", "%j %i %T").split("\n");
    const own = rows.map((row) => row.split(" ")).filter(([name]) => name!.startsWith(`assay-${study}-`));
    return Object.fromEntries(own.map(([, id, state]) => [id!, state!]));
  }

  /** The process of an array task, such as 12_3, on this machine. */
  taskProcess(name: string): number {
    const [job, index] = name.split("_");
    const [found] = processesWith(
      "slurm-task.js",
      `SLURM_CONF=${this.dir}/`,
      `SLURM_ARRAY_JOB_ID=${job}\0`,
      `SLURM_ARRAY_TASK_ID=${index}\0`,
    );
    if (found === undefined) throw new Error(`no process is Slurm's task ${name}`);
    return found;
  }

  /** Whether the node has cleared up after the newest start of an array task. */
  hasLeft(name: string): boolean {
    const [, id] = /^JobId=(\d+)/.exec(this.ask("scontrol", "show", "job", name))!;
    return !existsSync(join(this.dir, "spool-near", `job${id!.padStart(5, "0")}`));
  }

  /** No task of any study is waiting or under way; one that was ended may take a moment to be gone. */
  async idle(): Promise<void> {
    await waitFor("all tasks to be gone", () => this.ask("squeue", "-h") === "", { everyMs: 50 });
  }

  /** Takes the controller away, as for maintenance; tasks go on. */
  async stopController(): Promise<void> {
    await end(this.#controller!);
  }

  /** It finds the jobs of its predecessor in its state. */
  async startController(): Promise<void> {
    this.#controller = this.#spawn(["slurmctld", "-D", "-f", this.env.SLURM_CONF]);
    await waitFor("the controller", () => this.#tryAsk("squeue", "-h") !== undefined, { everyMs: 100 });
  }

  logs(): string {
    const names = readdirSync(this.dir).filter((name) => name.endsWith(".log"));
    return names
      .map((name) => `${name}:\n${readFileSync(join(this.dir, name), "utf8").slice(-2000)}`)
      .join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#tryAsk("scancel", "--quiet", `--user=${userInfo().username}`);
    await waitFor("jobs to end", () => !this.#tryAsk("squeue", "-h"), {
      deadlineMs: 20_000,
      everyMs: 50,
    }).catch(() => {});
    for (const daemon of this.#daemons.reverse()) await end(daemon);
    rmSync(this.dir, { recursive: true, force: true });
  }

  #spawn(argv: string[]): ChildProcess {
    const env = { ...process.env, ...this.env };
    const daemon = spawn("sh", ["-c", KEEPER, "keeper", ...argv], {
      stdio: ["pipe", "ignore", "ignore"],
      env,
    });
    this.#daemons.push(daemon);
    return daemon;
  }

  #tryAsk(program: string, ...words: string[]): string | undefined {
    try {
      return this.ask(program, ...words);
    } catch {
      return undefined;
    }
  }
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.pid === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
  const ended = new Promise((resolve) => daemon.once("exit", resolve));
  daemon.stdin!.end();
  await ended;
}

function configuration(dir: string, [controller, near, far]: number[], patienceS: number): string {
  const host = hostname().split(".")[0]!;
  const node = (name: string, port: number) =>
    `NodeName=${name} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${port} CPUs=8 RealMemory=8000`;
  return `ClusterName=assay
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${controller}
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation=${dir}/state
SlurmdSpoolDir=${dir}/spool-%n
SlurmctldPidFile=${dir}/slurmctld.pid
SlurmdPidFile=${dir}/slurmd-%n.pid
SlurmctldLogFile=${dir}/slurmctld.log
SlurmdLogFile=${dir}/slurmd-%n.log
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
MessageTimeout=${patienceS}
${node("near", near!)}
${node("far", far!)}
PartitionName=main Nodes=near Default=YES MaxTime=INFINITE State=UP
PartitionName=far Nodes=far MaxTime=INFINITE State=UP
`;
}
