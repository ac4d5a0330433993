import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Setting } from "../../../src/core/executor.ts";
import { createExecutor } from "../../../src/executors/index.ts";
import type { Store } from "../../../src/fleet/broker/store.ts";
import type { StudyMessage } from "../../../src/fleet/protocol.ts";
import { StudyRoom } from "../../../src/fleet/worker/study-room.ts";
import { TempFolder } from "../../support/temp-folder.ts";

test("closing a room leaves the one that came after it its folder", async () => {
  using folder = new TempFolder();
  const setting = {
    target: { kind: "command", argv: ["sh", "-c", "echo ok"], cwd: folder.path },
    ...{
      studyDir: "",
      baseDir: folder.path,
      artifacts: "all",
      limits: {},
      iterations: { count: 1, warmup: 0 },
    },
    ...{ instruments: [], plugins: [], env: {}, jobs: 1 },
  } as unknown as Setting;
  const code = {
    root: folder.path,
    base: "",
    files: [],
    packages: [],
    lock: null,
  } as unknown as StudyMessage["code"];
  const message: StudyMessage = { name: "study", setting, code, needs: {}, mostDeaths: 3, files: "/nowhere" };
  const options = {
    study: "0123456789abcdef",
    hash: "f".repeat(64),
    scratch: folder.path,
    jobs: 1,
    key: "key",
    worker: "w",
  };
  const open = () =>
    StudyRoom.open(message, {
      ...options,
      store: {} as Store,
      createExecutor: (setting) => createExecutor("", setting),
    });
  const first = await open();
  const closing = first.close();
  const second = await open();
  await closing;
  const [left] = readdirSync(folder.path);
  expect(existsSync(join(folder.path, left!, "code"))).toBe(true);
  await second.close();
  expect(readdirSync(folder.path)).toEqual([]);
});
