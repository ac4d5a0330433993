import { execFile } from "node:child_process";
import { sleep } from "../../host/clock.ts";

const PATIENCE_MS = 20_000;

interface Answer {
  isOk: boolean;
  stdout: string;
  /** Why not: the client's own words. */
  stderr: string;
  isMissing: boolean;
}

/** Asks the docker client one thing. It never throws. */
export function askDocker(...words: string[]): Promise<Answer> {
  return new Promise((resolve) => {
    const options = { encoding: "utf8", timeout: PATIENCE_MS, killSignal: "SIGKILL" } as const;
    execFile("docker", words, options, (error, stdout, stderr) => {
      const isMissing = error !== null && "code" in error && (error.code as unknown) === "ENOENT";
      const why = stderr.trim() || (error?.killed ? "it does not answer" : (error?.message ?? ""));
      resolve({ isOk: error === null, stdout: stdout.trim(), stderr: why, isMissing });
    });
  });
}

/** Removes a container, also one that an interrupted client is still about to make. */
export async function removeContainer(name: string): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await askDocker("rm", "--force", "--volumes", name);
    const { isOk, stdout } = await askDocker("ps", "--all", "--quiet", "--filter", `name=^/?${name}$`);
    if (!isOk || (stdout === "" && round > 0)) return;
    await sleep(100);
  }
}
