import type { CommandRef } from "./study.ts";

/** A program that runs beside the runs of a study, such as a database or the server that they test. */
export interface ServiceRef {
  /** In the variables that tell runs its address; empty for the only one of a study. */
  name: string;
  by: CommandRef;
  ready: Readiness;
  /** How long it may take until it is ready. */
  readyMs: number;
  /** Who shares one process of it. */
  per: "study" | "cell" | "run";
  /** Brings it back to where it began, between two runs. A process that is reset has one run at a time. */
  reset?: CommandRef;
  /** Variables of the runs that use it, with `${port}` for its port. */
  provides: Record<string, string>;
}

/** How a service shows that it can be used: it listens, answers with success, or prints a line that fits. */
export type Readiness =
  | { kind: "port"; port?: number }
  | { kind: "http"; url: string }
  | { kind: "line"; pattern: string };

/** What a service is called where people read of it. */
export function serviceName({ name }: Pick<ServiceRef, "name">): string {
  return name === "" ? "the service" : `service ${name}`;
}

/** The variable that holds its address; its port stands in the one with `_PORT` behind it. */
export function serviceVariable({ name }: Pick<ServiceRef, "name">): string {
  return name === "" ? "ASSAY_SERVICE" : `ASSAY_SERVICE_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** The port that a service has whoever starts it; undefined where it gets a free one. */
export function fixedPort({ ready }: Pick<ServiceRef, "ready">): number | undefined {
  if (ready.kind === "port") return ready.port;
  if (ready.kind === "line" || ready.url.includes("${port}")) return undefined;
  const { port, protocol } = new URL(ready.url);
  return Number(port) || (protocol === "https:" ? 443 : 80);
}
