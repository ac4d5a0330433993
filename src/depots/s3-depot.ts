import { UserError } from "../core/errors.ts";
import { Refusal } from "../fleet/envelope.ts";
import { S3Client } from "../fleet/files/s3-client.ts";
import { readS3Place } from "../fleet/files/s3-place.ts";
import type { Depot } from "./depot.ts";

/** How long a server that doesn't answer is waited for. */
const PATIENCE_MS = 30_000;

export function s3Depot(address: string, env: NodeJS.ProcessEnv = process.env): Depot {
  const place = readS3Place(address, env, { named: "the place", use: "studies are kept in" });
  const client = new S3Client(place, { patienceMs: PATIENCE_MS });
  return {
    label: address,
    list: (beginning) => client.list(beginning),
    put: (name, path, facts) => client.put(name, path, facts),
    async get(name, path) {
      try {
        await client.get(name, path);
      } catch (error) {
        throw error instanceof Refusal ? new UserError(error.message) : error;
      }
    },
    delete: (name) => client.delete(name),
    close() {},
  };
}
