import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readAddress } from "../../src/fleet/address.ts";
import { openBroker } from "../../src/fleet/broker/broker.ts";
import { listEntries, unpackArchive } from "../../src/fleet/files/archive.ts";
import type { FileRoute, Parcel } from "../../src/fleet/files/file-route.ts";
import { openRoute } from "../../src/fleet/files/index.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { TempFolder } from "../support/temp-folder.ts";

const NAME = { study: "0123456789abcdef", runId: "seed1__baseline__0123456789ab", nonce: "one" };

/** Each way for files, opened on both sides of a real queue. */
async function withRoute(
  kind: string,
  use: (route: FileRoute, folder: TempFolder) => Promise<void>,
): Promise<void> {
  await using server = await startQueueServer("redis");
  using folder = new TempFolder();
  const { store, close } = await openBroker(readAddress(server.url), "a key for this test only");
  await use(await openRoute(kind === "folder" ? join(folder.path, "shared") : kind, store), folder);
  await close();
}

const problem = queueProblem("redis");
describe.skipIf(problem).each(["queue", "folder"])(`files by way of %s${skipReason(problem)}`, (kind) => {
  test("arrive as they were, empty ones and folders too, and leave nothing behind", async () => {
    await withRoute(kind, async (route, folder) => {
      const noise = randomBytes(600_000);
      folder.write("run/out/noise.bin", noise);
      folder.write("run/out/deep/er/empty.txt", "");
      folder.write("run/meta.json", "{}");
      symlinkSync("/etc/passwd", join(folder.path, "run/out/link"));
      const { parcel, omitted } = await route.send(join(folder.path, "run"), NAME);
      expect(omitted).toEqual([]);
      // It travels inside a message.
      const arrived = JSON.parse(JSON.stringify(parcel)) as Parcel;
      await route.fetch(arrived, join(folder.path, "here"));
      const paths = listEntries(join(folder.path, "here")).entries.map(({ path }) => path);
      expect(paths).toEqual(["meta.json", "out/deep/er/empty.txt", "out/noise.bin"]);
      expect(readFileSync(join(folder.path, "here/out/noise.bin")).equals(noise)).toBe(true);
      await route.discard(arrived);
      await expect(route.fetch(arrived, join(folder.path, "again"))).rejects.toThrow();
    });
  });

  test("that were changed on the way are refused", async () => {
    await withRoute(kind, async (route, folder) => {
      folder.write("run/out/a.txt", "a".repeat(100));
      const { parcel } = await route.send(join(folder.path, "run"), NAME);
      const changed = { ...parcel, sha256: "0".repeat(64) };
      await expect(route.fetch(changed, join(folder.path, "here"))).rejects.toThrow("another checksum");
      if (kind === "folder") {
        const [name] = readdirSync(join(folder.path, "shared", NAME.study));
        truncateSync(join(folder.path, "shared", NAME.study, name!, "out/a.txt"), 99);
        await expect(route.fetch(parcel, join(folder.path, "here"))).rejects.toThrow("another checksum");
      }
    });
  });

  test("of a run whose name is a path are refused", async () => {
    await withRoute("folder", async (route, folder) => {
      folder.write("run/a.txt", "");
      await expect(route.send(join(folder.path, "run"), { ...NAME, runId: "../../up" })).rejects.toThrow(
        "leaves its folder",
      );
    });
  });
});

test.each(["../up.txt", "/tmp/up.txt"])("an archive with the path %s is refused", async (path) => {
  using folder = new TempFolder();
  const archive = gzipSync(`${JSON.stringify({ path, bytes: 2 })}\nhi`);
  await expect(unpackArchive(Readable.from([archive]), join(folder.path, "here"))).rejects.toThrow(
    "leaves its folder",
  );
});

test("an archive that ends too early is refused", async () => {
  using folder = new TempFolder();
  const archive = gzipSync(`${JSON.stringify({ path: "a", bytes: 20 })}\nhi`);
  await expect(unpackArchive(Readable.from([archive]), join(folder.path, "here"))).rejects.toThrow(
    "too early",
  );
  writeFileSync(join(folder.path, "torn"), archive.subarray(0, 10));
  await expect(
    unpackArchive(Readable.from([archive.subarray(0, 10)]), join(folder.path, "torn-here")),
  ).rejects.toThrow();
});

test("a way that is none is named", async () => {
  await expect(openRoute("relative/folder", undefined as never)).rejects.toThrow("an absolute path");
});
