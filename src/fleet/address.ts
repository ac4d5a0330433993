import { UserError } from "../core/errors.ts";

/** Where a queue is: the whole address, which may hold a password, and what of it may be shown. */
export interface Address {
  url: string;
  kind: "redis" | "postgres";
  /** Without user and password. */
  label: string;
}

const KINDS: Record<string, Address["kind"]> = {
  "redis:": "redis",
  "rediss:": "redis",
  "postgres:": "postgres",
  "postgresql:": "postgres",
};

/** Messages about a bad address do not repeat it: it may hold a password. */
export function readAddress(text: string | undefined): Address {
  const expected = "redis://, rediss:// or postgres://, with [user:password@]host:port";
  if (!text) {
    throw new UserError("no queue is named", {
      expected,
      remedy: "Write --queue redis://host:6379, or set ASSAY_QUEUE.",
    });
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UserError("the address of the queue can't be read", { expected });
  }
  const kind = KINDS[url.protocol];
  if (!kind) throw new UserError("the queue is of no known kind", { expected, got: `${url.protocol}//` });
  const path = url.pathname === "/" ? "" : url.pathname;
  return { url: text, kind, label: `${url.protocol}//${url.host}${path}` };
}

/** Takes the address from the command line into the environment, where nothing that is written down shows it. */
export function hideAddress(address: string, argv: string[] = process.argv, env = process.env): void {
  env.ASSAY_QUEUE = address;
  const { label } = readAddress(address);
  for (const [i, word] of argv.entries()) argv[i] = word.replace(address, () => label);
  // The list of processes shows these words instead of those it was started with.
  if (argv === process.argv && label !== address) process.title = argv.join(" ");
}
