import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import { Refusal } from "../../../src/fleet/envelope.ts";
import { S3Client } from "../../../src/fleet/files/s3-client.ts";
import { readS3Place } from "../../../src/fleet/files/s3-place.ts";
import { s3Route } from "../../../src/fleet/files/s3-route.ts";
import { cuttingProxy, s3Environment, startS3 } from "../../support/s3-server.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const LARGE = 3_000_000;
const FILES = "s3://runs/some/prefix";
const name = () => ({ study: "0123456789abcdef", runId: "a=1, b__seed1", nonce: randomUUID() });

/** A run's folder with a file that can't be compressed. */
function makeRun(): { root: string; dir: string; content: Buffer } {
  const content = randomBytes(LARGE);
  const folder = new TempFolder({ "run/out/large.bin": content, "run/meta.json": "{}\n" });
  onTestFinished(() => folder[Symbol.dispose]());
  return { root: folder.path, dir: `${folder.path}/run`, content };
}

describe("files through S3", () => {
  test("arrive as they were, and are gone once they are recorded", async () => {
    await using s3 = await startS3();
    const { root, dir, content } = makeRun();
    const route = s3Route(FILES, s3.env);
    const { parcel, omitted } = await route.send(dir, name());
    expect(omitted).toEqual([]);
    expect(JSON.stringify(parcel)).not.toContain("S3RVER");
    expect(s3.objects()).toEqual([`some/prefix/${parcel.study}/${parcel.nonce}`]);
    await route.fetch(parcel, `${root}/arrived`);
    expect(readFileSync(`${root}/arrived/out/large.bin`).equals(content)).toBe(true);
    expect(readFileSync(`${root}/arrived/meta.json`, "utf8")).toBe("{}\n");
    await route.discard(parcel);
    expect(s3.objects()).toEqual([]);
  });

  test("are sent again after a cut", async () => {
    await using s3 = await startS3();
    using proxy = await cuttingProxy(s3.port, { afterBytes: 1_000_000, times: 2, from: "client" });
    const { root, dir, content } = makeRun();
    const route = s3Route(FILES, s3Environment(proxy.port));
    const { parcel } = await route.send(dir, name());
    expect(proxy.cuts).toBe(2);
    await route.fetch(parcel, `${root}/arrived`);
    expect(readFileSync(`${root}/arrived/out/large.bin`).equals(content)).toBe(true);
  });

  test("are fetched from where a cut was", async () => {
    await using s3 = await startS3();
    const { root, dir, content } = makeRun();
    const { parcel } = await s3Route(FILES, s3.env).send(dir, name());
    using proxy = await cuttingProxy(s3.port, { afterBytes: 800_000, times: 3, from: "server" });
    await s3Route(FILES, s3Environment(proxy.port)).fetch(parcel, `${root}/arrived`);
    expect(proxy.cuts).toBe(3);
    // From the beginning each time it would have been more.
    expect(proxy.bytes).toBeLessThan(LARGE + 800_000);
    expect(readFileSync(`${root}/arrived/out/large.bin`).equals(content)).toBe(true);
  });

  test("with other contents than were sent are refused", async () => {
    await using s3 = await startS3();
    const { root, dir } = makeRun();
    const route = s3Route(FILES, s3.env);
    const { parcel } = await route.send(dir, name());
    await expect(route.fetch({ ...parcel, sha256: "0".repeat(64) }, `${root}/a`)).rejects.toThrow(
      "another checksum",
    );
    await expect(route.fetch({ ...parcel, bytes: 1000 }, `${root}/b`)).rejects.toThrow(
      "larger than was said",
    );
    await expect(route.fetch({ ...parcel, nonce: "gone" }, `${root}/c`)).rejects.toThrow(Refusal);
    await expect(route.fetch({ ...parcel, nonce: "../x" }, `${root}/d`)).rejects.toThrow("is no name");
  });

  test("wait for a server that is not well, and no longer than they are told", async () => {
    const sick = await sickServer(3);
    const client = new S3Client(readS3Place(FILES, s3Environment(sick.port)), { patienceMs: 5000 });
    await client.delete("a/b");
    expect(sick.asked()).toBe(4);
    sick.close();
    const dead = new S3Client(readS3Place(FILES, s3Environment(sick.port)), { patienceMs: 1 });
    await expect(dead.delete("a/b")).rejects.toThrow(
      /s3:\/\/runs\/some\/prefix can't be reached .*ECONNREFUSED/,
    );
  });

  test("a wrong key is told, without the key", async () => {
    await using s3 = await startS3();
    const { dir } = makeRun();
    const route = s3Route(FILES, {
      ...s3.env,
      AWS_ACCESS_KEY_ID: "nobodys-id",
      AWS_SECRET_ACCESS_KEY: "the-secret",
    });
    const told = await route.send(dir, name()).catch((error: Error) => error);
    expect(told).toBeInstanceOf(UserError);
    expect((told as Error).message).toMatch(/refused PUT \(403 InvalidAccessKeyId\)/);
    expect((told as Error).message).not.toContain("the-secret");
  });
});

describe("the place of files in S3", () => {
  const keys = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };
  const urlOf = (files: string, env = {}) => readS3Place(files, { ...keys, ...env }).urlOf("x/y");

  test("is Amazon's in the region, or where the environment says", () => {
    expect(urlOf("s3://my-runs/a b/")).toBe("https://my-runs.s3.us-east-1.amazonaws.com/a%20b/x/y");
    expect(urlOf("s3://my-runs", { AWS_REGION: "eu-west-1" })).toBe(
      "https://my-runs.s3.eu-west-1.amazonaws.com/x/y",
    );
    expect(urlOf("s3://my.runs/p")).toBe("https://s3.us-east-1.amazonaws.com/my.runs/p/x/y");
    const env = { AWS_ENDPOINT_URL: "http://other", AWS_ENDPOINT_URL_S3: "https://minio.local:9000/" };
    expect(urlOf("s3://my-runs/p", env)).toBe("https://minio.local:9000/my-runs/p/x/y");
  });

  test("is not guessed from a bad name, and needs keys", () => {
    expect(() => readS3Place("s3:/runs", keys)).toThrow("expected s3://bucket/prefix");
    expect(() => readS3Place("s3://runs", {})).toThrow("AWS_ACCESS_KEY_ID");
  });
});

/** Says 503 so often, then that all is well. */
async function sickServer(times: number) {
  let asked = 0;
  const server = createServer((_, answer) => {
    asked++;
    answer.writeHead(asked <= times ? 503 : 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, asked: () => asked, close: () => server.close() };
}
