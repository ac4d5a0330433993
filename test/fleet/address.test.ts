import { describe, expect, test } from "vitest";
import { hideAddress, readAddress } from "../../src/fleet/address.ts";
import { readFleetKey } from "../../src/fleet/fleet-key.ts";

describe("the address of a queue", () => {
  test.each([
    ["redis://:word@host:6379/2", "redis", "redis://host:6379/2"],
    ["rediss://user:word@host:6380", "redis", "rediss://host:6380"],
    ["postgres://user:word@host/db?sslmode=require", "postgres", "postgres://host/db"],
  ])("%s is shown without user and password", (text, kind, label) => {
    expect(readAddress(text)).toEqual({ url: text, kind, label });
  });

  test.each(["http://user:s3cret@host", "no address: s3cret", ""])(
    "%j is refused without being repeated",
    (text) => {
      expect(() => readAddress(text)).toThrow(/redis:\/\//);
      expect(() => readAddress(text)).not.toThrow(/s3cret/);
    },
  );

  test("leaves the command line for the environment", () => {
    const env: NodeJS.ProcessEnv = {};
    const argv = ["node", "assay", "run", "--queue", "redis://:word@host:1", "--queue=redis://:word@host:1"];
    hideAddress("redis://:word@host:1", argv, env);
    expect(env.ASSAY_QUEUE).toBe("redis://:word@host:1");
    expect(argv.join(" ")).toBe("node assay run --queue redis://host:1 --queue=redis://host:1");
  });
});

test.each([undefined, "short"])("the key %j is refused, and how to make one is told", (ASSAY_FLEET_KEY) => {
  expect(() => readFleetKey({ ASSAY_FLEET_KEY })).toThrow(/openssl rand/);
});
