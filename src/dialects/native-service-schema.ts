import * as z from "zod";
import { UserError } from "../core/errors.ts";
import { fixedPort, type Readiness, type ServiceRef, serviceVariable } from "../core/service.ts";
import { namesInPattern } from "../core/watch-pattern.ts";
import { argvOf, command, commandRef, pattern } from "./native-command.ts";
import { duration } from "./quantities.ts";
import type { SourceFile } from "./source-file.ts";

const text = z.string().min(1);
const { command: words, cwd, watch, version } = command.shape;

const ready = z.union(
  [
    z.strictObject({ port: z.int().min(1).max(65_535).describe("It listens on this port of 127.0.0.1.") }),
    z.strictObject({
      http: text
        .regex(/^(\/|https?:\/\/)/, { error: "a path such as /health, or an address" })
        .describe("This path, or address, answers with a status below 400."),
    }),
    z.strictObject({ line: pattern.describe("It prints a line that fits this regular expression.") }),
  ],
  { error: "{port: 5432}, {http: /health} or {line: 'listening'}" },
);

const service = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z][\w-]*$/)
    .optional()
    .describe("In the variable that tells runs its address: db gives ASSAY_SERVICE_DB. Needed for several."),
  command: words.describe("Program and arguments. ${port} stands for a free port, which PORT holds as well."),
  ...{ cwd, watch, version },
  ready: ready.optional().describe("How it shows that it can be used. Default: it listens on ${port}."),
  timeout: duration("How long it may take until it is ready.").prefault("60s"),
  per: z
    .enum(["study", "cell", "run"])
    .default("study")
    .describe(
      "Who shares one process: all runs, those of a cell (its command may name parameters), or none. Of a queue: of one worker; on Slurm: of one task.",
    ),
  reset: words
    .optional()
    .describe("Program and arguments that bring it back to where it began, before the next run uses it."),
  provides: z
    .record(text, z.string())
    .default({})
    .describe("More variables for the runs, such as {DATABASE_URL: 'http://127.0.0.1:${port}/'}."),
});

export const servicesSchema = z
  .array(service)
  .min(1)
  .describe(
    "Programs that run beside the runs: started before the first that needs them, stopped at the end.",
  );

type Declared = z.output<typeof service>;

export function readServices(declared: readonly Declared[], file: SourceFile): ServiceRef[] {
  const variables = declared.map(({ name = "" }) => serviceVariable({ name }));
  return declared.map((one, i) => {
    const place = file.locate(["services", i]);
    if (one.name === undefined && declared.length > 1)
      throw new UserError("services", {
        place,
        expected: "a name: for each of several services",
        got: "none",
      });
    if (variables.indexOf(variables[i]!) < i)
      throw new UserError(`two services are called "${one.name}"`, { place });
    const pattern = one.watch?.find((watched) => namesInPattern(watched).length > 0);
    if (pattern !== undefined)
      throw new UserError(`watch: ${pattern}`, { place, expected: "files that count for all runs" });
    return readService(one, file, i);
  });
}

function readService(one: Declared, file: SourceFile, i: number): ServiceRef {
  const { name = "", ready: declared, timeout, per, reset, provides, ...program } = one;
  const by = commandRef(program, file, ["services", i]);
  const ref: ServiceRef = { name, by, ready: readReady(declared), readyMs: timeout, per, provides };
  if (reset) {
    const argv = argvOf(reset, file, ["services", i, "reset"]);
    ref.reset = { kind: "command", argv, cwd: by.cwd, watch: [] };
  }
  if (fixedPort(ref) !== undefined && (per !== "study" || reset))
    throw new UserError(reset ? "reset" : `per: ${per}`, {
      place: file.locate(["services", i, "ready"]),
      expected: "a port for each process, since several may run at once",
      got: `port ${fixedPort(ref)}`,
      remedy: "Write ${port} in its command, and leave ready: out or use ready: {http: /path}.",
    });
  return ref;
}

function readReady(declared: Declared["ready"]): Readiness {
  if (!declared) return { kind: "port" };
  if ("port" in declared) return { kind: "port", port: declared.port };
  if ("line" in declared) return { kind: "line", pattern: declared.line };
  const { http } = declared;
  return { kind: "http", url: http.startsWith("/") ? `http://127.0.0.1:\${port}${http}` : http };
}
