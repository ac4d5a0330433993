import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { RunFailure } from "../../../src/core/run.ts";
import { docker, podman } from "../../../src/sandboxes/containers/index.ts";
import { rollout } from "../../../src/targets/coding/index.ts";
import { BASE_IMAGE, testedEngine } from "../../support/base-image.ts";
import { TempFolder } from "../../support/temp-folder.ts";

/** Its Dockerfile does what no copying can, its repository has a history, and its answer is also outside of its folder. */
const TASK = {
  "task/task.toml":
    'version = "1.0"\n[verifier]\ntimeout_sec = 60\n[agent]\ntimeout_sec = 60\n[environment]\nallow_internet = false\nmemory_mb = 512\ncpus = 1\n',
  "task/instruction.md":
    "Write the sum of /srv/numbers to /app/sum.txt and /etc/sum, and commit the first.\n",
  "task/environment/Dockerfile": `FROM ${BASE_IMAGE}
RUN printf '1\\n2\\n3\\n' > /srv-numbers && mkdir /srv && mv /srv-numbers /srv/numbers
ENV COLOUR=green
WORKDIR /app
RUN git init -q && git config user.email a@b && git config user.name a && echo x > x && git add x && git commit -qm first
`,
  "task/solution/solve.sh":
    "# Its first line doesn't say what runs it.\n#!/bin/bash\nset -o pipefail\nsum=0; while read n; do sum=$((sum + n)); done < /srv/numbers\necho $sum > sum.txt; echo $sum > /etc/sum; git add sum.txt; git commit -qm second; cat /solution/solve.sh > /tmp/kept\n",
  "task/tests/test.sh": `#!/bin/bash
cd /app
if [ "$(cat sum.txt)$(cat /etc/sum)$COLOUR$(git log --format=%s | head -1)" = 66greensecond ] && [ -s /tmp/kept ] && bash /tests/alone.sh
then echo '{"reward": 1, "speed": 0.5}' > /logs/verifier/reward.json; else echo 0 > /logs/verifier/reward.txt; fi
`,
  // No process of the agent's is left when it is graded, and nothing but loopback is there.
  "task/tests/alone.sh": '[ "$(ls /sys/class/net)" = lo ] && ! grep -qs forever /proc/[0-9]*/cmdline\n',
};

const { note, isUsable } = await testedEngine();
/** With `auto` it is either. */
const engines = [docker, podman];

async function roll(folder: TempFolder, params: object): Promise<Record<string, unknown>> {
  const metrics = await rollout.run(
    {
      params: rollout.params.parse({ sandbox: "auto", ...params }),
      ...{ seed: 1, task: "task", repeat: 0, iteration: 0, baseDir: folder.path },
      outDir: `${folder.path}/study/runs/one/out`,
      ...{ signal: new AbortController().signal, series: () => {}, warn: () => {} },
    },
    undefined,
  );
  return metrics as Record<string, unknown>;
}

const failure = (folder: TempFolder, params: object) =>
  roll(folder, params).then(
    () => undefined,
    (error: unknown) => error as RunFailure,
  );

describe.skipIf(!isUsable)(`a task of Harbor in its own image${note}`, () => {
  test("is built and solved by its oracle, whose whole state is graded in a container of its own", async () => {
    using folder = new TempFolder({ ...TASK, "study/runs/one/out/x": "" });
    const out = `${folder.path}/study/runs/one/out`;
    const metrics = await roll(folder, { agent: "oracle" });
    expect(metrics).toMatchObject({ score: 1, solved: 1, "custom/speed": 0.5 });
    expect(readFileSync(`${out}/artifacts/diff.patch`, "utf8")).toContain("+6");
    const changes = readFileSync(`${out}/artifacts/image_changes.txt`, "utf8");
    expect(changes).toMatch(/^A \/etc\/sum$/m);
    expect(changes).not.toContain("/solution");
    const images = engines.map(
      ({ name }) => spawnSync(name, ["images", "--format", "{{.Repository}}"]).stdout,
    );
    expect(images.join("\n")).toContain("assay-task");
  });

  test("isn't solved by doing nothing, and an agent of yours sees the image, not this machine", async () => {
    using folder = new TempFolder({ ...TASK, "study/runs/one/out/x": "", "secret.txt": "s" });
    expect(await roll(folder, { agent: "nop" })).toMatchObject({ score: 0 });
    const look = `cat /srv/numbers; pwd; echo $HOME; ls ${folder.path} /tests /solution; (exec -a forever sleep 600) & true`;
    expect(await roll(folder, { agent: ["bash", "-c", look, "${prompt_file}"] })).toMatchObject({ score: 0 });
    const out = `${folder.path}/study/runs/one/out/logs`;
    expect(readFileSync(`${out}/agent.stdout.txt`, "utf8")).toBe("1\n2\n3\n/app\n/root\n");
    expect(readFileSync(`${out}/agent.stderr.txt`, "utf8").match(/cannot access/g)).toHaveLength(3);
  });

  test.each([
    [
      "FROM registry.invalid/no/such:1\nRUN true\n",
      /base image registry.invalid\/no\/such:1 can't be had here/,
    ],
    [`FROM ${BASE_IMAGE}\nRUN echo the reason >&2; exit 3\n`, /can't be built: .*exit status 3/],
    [`FROM ${BASE_IMAGE}\nRUN trap '' TERM; sleep 600\n`, /it took longer than 3 s/],
  ])("that can't be built is missing, with the reason, before its agent starts: %j", async (text, reason) => {
    const toml = `${TASK["task/task.toml"]}build_timeout_sec = 3\n`;
    using folder = new TempFolder({
      ...TASK,
      "task/environment/Dockerfile": text,
      ...(text.includes("sleep") && { "task/task.toml": toml }),
      "study/runs/one/out/x": "",
    });
    const error = await failure(folder, { agent: ["touch", "/app/begun"], sandbox: "podman" });
    expect(error).toBeInstanceOf(RunFailure);
    expect(error).toMatchObject({ owner: "infrastructure" });
    expect(error!.message).toMatch(reason);
    expect(existsSync(`${folder.path}/study/runs/one/out/logs/agent.stdout.txt`)).toBe(false);
  });
});
