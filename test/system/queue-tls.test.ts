import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";
import { FLEET_KEY, startStudy, startWorker } from "../support/fleet.ts";
import { skipReason } from "../support/queue-server.ts";
import { startTlsRedis, type TlsRedis, tlsRedisProblem } from "../support/tls-redis.ts";
import { waitFor } from "../support/wait-for.ts";

const USER = "fleet";
const PASSWORD = "s3cret-Word";

/** A run that is a program, and keeps what a stranger on its machine could see of it and of its parent. */
const LOOK = `for pid in $$ $PPID; do tr '\\0' ' ' </proc/$pid/cmdline; cat /proc/$pid/comm; done >"$ASSAY_OUT_DIR/seen.txt"
env >>"$ASSAY_OUT_DIR/seen.txt"
while [ ! -e "$1" ]; do sleep 0.05; done
`;

async function tlsProject(server: TlsRedis, { url = server.urlFor(USER, PASSWORD) } = {}): Promise<Project> {
  const project = await fixture("fleet", { "look.sh": LOOK });
  project.write(
    "study.yaml",
    `study: fleet\ntarget: {command: [sh, look.sh, ${project.path("go")}]}\nseeds: 2\n`,
  );
  project.env = {
    ASSAY_QUEUE: url,
    ASSAY_FLEET_KEY: FLEET_KEY,
    ASSAY_SCRATCH: project.path("scratch"),
    NODE_EXTRA_CA_CERTS: server.authority,
  };
  return project;
}

function textsBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
}

/** What a run that is under way has seen; files around it come and go. */
function hasSeen(scratch: string): boolean {
  try {
    return readdirSync(scratch, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith("/seen.txt"))
      .some((path) => readFileSync(join(scratch, path), "latin1").includes("look.sh"));
  } catch {
    return false;
  }
}

const problem = tlsRedisProblem();
describe.skipIf(problem)(`a queue with TLS and users${skipReason(problem)}`, { concurrent: true }, () => {
  test("is used by a user who may do no more than needed, and the password is seen nowhere", async () => {
    await using server = await startTlsRedis({ user: USER, password: PASSWORD });
    await using project = await tlsProject(server);
    const url = project.env.ASSAY_QUEUE!;
    delete project.env.ASSAY_QUEUE;
    const worker = await startWorker(project, "--queue", url);
    const study = startStudy(project, "--queue", url);
    await waitFor("a run", () => hasSeen(project.path("scratch")));
    const titles = [worker, study].map(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, "latin1"));
    project.write("go", "");
    const { code, stdout, stderr } = await study.ended;
    expect(code, stderr).toBe(0);
    worker.kill("SIGTERM");
    const told = await worker.ended;
    expect(told.stdout).toContain("did 2 runs");
    const written = textsBelow(project.path("bench_runs"));
    expect(written.filter((text) => text.includes("look.sh")).length).toBeGreaterThan(2);
    const all = [stdout, stderr, told.stdout, told.stderr, ...titles, ...written].join("\n");
    expect(all).toContain(`rediss://127.0.0.1:${server.port}`);
    for (const secret of [PASSWORD, FLEET_KEY]) expect(all).not.toContain(secret);
  });

  test("tells a wrong password, an unknown authority, a plain address and nobody there apart, and ends", async () => {
    await using server = await startTlsRedis({ user: USER, password: PASSWORD });
    await using project = await tlsProject(server);
    const { env } = project;
    const plain = server.urlFor(USER, PASSWORD).replace("rediss:", "redis:");
    // No server of a test is ever given this port.
    const nobody = `rediss://${USER}:${PASSWORD}@127.0.0.1:1`;
    const cases: [string, Record<string, string>, RegExp][] = [
      [
        "password",
        { ASSAY_QUEUE: server.urlFor(USER, "other-Word") },
        /refuses the user or the password \(WRONGPASS/,
      ],
      ["user", { ASSAY_QUEUE: server.urlFor("stranger", PASSWORD) }, /refuses the user or the password/],
      ["authority", { NODE_EXTRA_CA_CERTS: server.stranger }, /is not trusted here .* NODE_EXTRA_CA_CERTS=/],
      ["plain", { ASSAY_QUEUE: plain }, /can't be (used|reached)/],
      ["nobody", { ASSAY_QUEUE: nobody }, /can't be reached \(connect ECONNREFUSED/],
    ];
    const ends = cases.map(async ([name, other, message], i) => {
      project.env = { ...env, ...other };
      const words =
        i % 2 === 0 ? ["worker"] : ["run", "study.yaml", "--executor", "queue", "--out-root", name];
      const { code, stderr } = await project.assay(...words);
      const said = stderr.split("\n").filter((line) => line.includes("the queue at"));
      expect(said, `${name}: ${stderr}`).toMatchObject([expect.stringMatching(message)]);
      expect(code, name).toBe(2);
      expect(stderr).not.toMatch(/s3cret|other-Word/);
    });
    await Promise.all(ends);
  });
});
