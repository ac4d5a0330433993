import { UserError } from "../../core/errors.ts";

/** Where objects are kept, and who asks. The keys are of this machine's environment, never of a message. */
export interface S3Place {
  /** As the study says it. */
  label: string;
  urlOf(name: string): string;
  /** The bucket, and what stands before the names of all objects in it. */
  root: string;
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Reads `s3://bucket/prefix` and the variables that other programs for S3 read too. */
export function readS3Place(
  files: string,
  env: NodeJS.ProcessEnv = process.env,
  { named = "executor.queue.files", use = "the files of this study go through" } = {},
): S3Place {
  const [, bucket, prefix] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/(.*?)\/?)?$/.exec(files) ?? [];
  if (bucket === undefined)
    throw new UserError(named, {
      expected: "s3://bucket/prefix",
      got: JSON.stringify(files),
    });
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env;
  if (!accessKeyId || !secretAccessKey)
    throw new UserError(`${use} ${files}, and this machine has no keys for it`, {
      remedy:
        "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_ENDPOINT_URL where it is not Amazon's).",
    });
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || "us-east-1";
  const root = rootOf(bucket, region, env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL);
  const folder = prefix ? `${prefix.split("/").map(encodeURIComponent).join("/")}/` : "";
  return {
    label: files,
    urlOf: (name) => `${root}/${folder}${name}`,
    root,
    prefix: prefix ? `${prefix}/` : "",
    region,
    accessKeyId,
    secretAccessKey,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}

/** Servers of others mostly know a bucket by the path; Amazon's by the host, unless a dot would break its certificate. */
function rootOf(bucket: string, region: string, endpoint: string | undefined): string {
  if (endpoint !== undefined) {
    if (!/^https?:\/\/[^@/]+(\/.*)?$/.test(endpoint))
      throw new UserError("AWS_ENDPOINT_URL", { expected: "http:// or https://, and a host without a user" });
    return `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  }
  if (bucket.includes(".")) return `https://s3.${region}.amazonaws.com/${bucket}`;
  return `https://${bucket}.s3.${region}.amazonaws.com`;
}
