import { createReadStream, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Refusal } from "../envelope.ts";
import { unpackArchive } from "./archive.ts";
import type { FileRoute, ParcelName } from "./file-route.ts";
import { packFitting } from "./pack-fitting.ts";
import { S3Client } from "./s3-client.ts";
import { readS3Place } from "./s3-place.ts";

/** Of one run, compressed: servers take no more than 5 GB in one piece. */
const MOST_BYTES = 4 * 1024 ** 3;

/** Through an S3-compatible store: one object a try at a run, deleted once it is recorded. */
export function s3Route(files: string, env: NodeJS.ProcessEnv = process.env): FileRoute {
  const client = new S3Client(readS3Place(files, env));
  return {
    async send(dir, name) {
      const archive = `${dir}.parcel`;
      try {
        const { facts, omitted } = await packFitting(dir, archive, {
          mostBytes: MOST_BYTES,
          why: "a run's files may be 4 GB through S3",
        });
        await client.put(objectOf(name), archive, facts);
        return { parcel: { ...name, route: "s3", ...facts }, omitted };
      } finally {
        rmSync(archive, { force: true });
      }
    },

    async fetch(parcel, dir) {
      const archive = `${dir}.parcel`;
      mkdirSync(dirname(archive), { recursive: true });
      try {
        await client.get(objectOf(parcel), archive, parcel);
        await unpackArchive(createReadStream(archive), dir);
      } finally {
        rmSync(archive, { force: true });
      }
    },

    discard: (parcel) => client.delete(objectOf(parcel)),
  };
}

/** A run's id may have letters that a path has not; the parcel's own name is enough to tell it from all others. */
function objectOf({ study, nonce }: ParcelName): string {
  const name = `${study}/${nonce}`;
  if (!/^[\w-]+\/[\w-]+$/.test(name))
    throw new Refusal("path", `the parcel ${JSON.stringify(name)} is no name`);
  return name;
}
