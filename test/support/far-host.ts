import { execFileSync, spawnSync } from "node:child_process";

/** Why no host of its own can be made here; undefined where it can. */
export function farHostProblem(): string | undefined {
  if (spawnSync("ip", ["-V"]).error) return "iproute2 is not installed";
  const name = `assay-try-${process.pid}`;
  if (spawnSync("ip", ["netns", "add", name]).status !== 0) return "network namespaces are not allowed here";
  // In a mere chroot they can be made and not entered.
  const { status, stderr } = spawnSync("ip", ["netns", "exec", name, "true"], { encoding: "utf8" });
  spawnSync("ip", ["netns", "del", name]);
  return status === 0 ? undefined : `network namespaces can't be entered here: ${stderr.trim()}`;
}

/** A network namespace that reaches this machine by one cable, which can be cut: `using host = new FarHost()`. */
export class FarHost implements Disposable {
  readonly #name = `assay-${process.pid}`;
  readonly #cable = `as${process.pid}`.slice(0, 13);
  /** Of this machine, as the far host sees it. */
  readonly nearAddress = `10.${200 + (process.pid % 50)}.${process.pid % 250}.1`;

  constructor() {
    const far = this.nearAddress.replace(/1$/, "2");
    ip("netns", "add", this.#name);
    ip("link", "add", this.#cable, "type", "veth", "peer", "name", `${this.#cable}b`, "netns", this.#name);
    ip("addr", "add", `${this.nearAddress}/24`, "dev", this.#cable);
    ip("link", "set", this.#cable, "up");
    ip("-n", this.#name, "addr", "add", `${far}/24`, "dev", `${this.#cable}b`);
    ip("-n", this.#name, "link", "set", `${this.#cable}b`, "up");
    ip("-n", this.#name, "link", "set", "lo", "up");
  }

  /** The words that run a command there. */
  on(argv: string[]): string[] {
    return ["ip", "netns", "exec", this.#name, ...argv];
  }

  cut(): void {
    ip("link", "set", this.#cable, "down");
  }

  mend(): void {
    ip("link", "set", this.#cable, "up");
  }

  [Symbol.dispose](): void {
    spawnSync("ip", ["link", "del", this.#cable]);
    spawnSync("ip", ["netns", "del", this.#name]);
  }
}

function ip(...words: string[]): void {
  execFileSync("ip", words, { stdio: "pipe" });
}
