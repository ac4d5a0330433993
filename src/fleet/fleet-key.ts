import { UserError } from "../core/errors.ts";

const SHORTEST = 16;

/** The secret that coordinator and workers share. */
export function readFleetKey(env: NodeJS.ProcessEnv = process.env): string {
  const key = env.ASSAY_FLEET_KEY ?? "";
  if (key.length >= SHORTEST) return key;
  throw new UserError(
    key === ""
      ? "a fleet needs a key, and ASSAY_FLEET_KEY is not set"
      : `ASSAY_FLEET_KEY is too short: ${key.length} characters of at least ${SHORTEST}`,
    {
      remedy:
        "Make one (`openssl rand -hex 32`) and set the same on every machine: only what is signed with it is run.",
    },
  );
}
