import { cpSync, existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bubblewrap } from "../../src/sandboxes/bubblewrap/index.ts";
import { fixture } from "../support/fixture.ts";
import { startSsh } from "../support/ssh-server.ts";

const plugin = fileURLToPath(new URL("../../examples/remote-sandbox/ssh.ts", import.meta.url));
const problem = existsSync("/usr/sbin/sshd")
  ? await bubblewrap.problem!()
  : "openssh-server is not installed";

test.skipIf(problem !== undefined)(
  `a sandbox of the user's own runs agents and tests on another host, by ssh${problem ? ` (skipped: ${problem})` : ""}`,
  async () => {
    await using ssh = await startSsh();
    const { username, port } = new URL(ssh.address("/"));
    await using project = await fixture("coding");
    project.env = {
      SANDBOX_SSH_HOST: `${username}@127.0.0.1`,
      SANDBOX_SSH: `${ssh.env.ASSAY_SSH} -o BatchMode=yes -p ${port} -o ControlMaster=auto -o ControlPath=${ssh.dir}/%C -o ControlPersist=5`,
    };
    cpSync(plugin, project.path("ssh.ts"));
    const doctor = await project.assay("doctor", "--plugin", "ssh.ts");
    expect(doctor, doctor.stdout + doctor.stderr).toMatchObject({ code: 0 });

    project.write("secret.txt", "here");
    project.write(
      "study.yaml",
      `study: rollouts
target: rollout
plugins: [./ssh.ts]
tasks: [tasks/lamp]
matrix:
  agent:
    - nop
    - { name: good, command: [agents/good.sh] }
    - { name: looks, command: [sh, -c, 'ls ${project.path("secret.txt")} /root /home; rm lamp.txt; echo new > made.txt'] }
    - { name: hangs, command: [sh, -c, 'trap "" TERM; sleep 987'], }
params: { sandbox: ssh, agent_timeout_s: 3 }
artifacts: all
`,
    );
    const ran = await project.assay("run", "study.yaml");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const records = Object.fromEntries(
      project.records("rollouts").map((record) => [record.labels!.agent, record]),
    );
    expect(records.good).toMatchObject({ metrics: { solved: 1 }, labels: { sandbox: "ssh" } });
    expect(records.nop).toMatchObject({ metrics: { solved: 0 } });
    expect(records.hangs).toMatchObject({ labels: { agent_exit: "timeout" } });
    const out = (agent: string, path: string) => `bench_runs/rollouts/runs/${records[agent]!.id}/out/${path}`;
    expect(project.read(out("looks", "logs/agent.stdout.txt"))).toBe("");
    const patch = project.read(out("looks", "artifacts/diff.patch"));
    expect(patch).toContain("+++ b/made.txt");
    expect(patch).toContain("deleted file mode");
    expect(readdirSync("/tmp").filter((name) => name.startsWith("assay-ssh."))).toEqual([]);
    project.env.SANDBOX_SSH_HOST = "";
    const refused = await project.assay("run", "study.yaml", "--fresh");
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the sandbox ssh can't be used here"),
    });
  },
);
