import { describe, expect, test } from "vitest";
import { directory } from "../../../src/sandboxes/directory.ts";
import { seenPaths } from "../../../src/targets/coding/seen-paths.ts";

const wanted = new Map([
  ["/w/repo", "/app"],
  ["/w/logs", "/logs"],
  ["/w/home", null],
  ["/w/src", "/usr/src/app"],
]);
const text = 'cd /app && cp /app/a.py /app2; echo 1 > "/logs/verifier/reward.txt"; ls /my/app /usr/src/app.';

describe("paths that a task knows", () => {
  test("are shown by a sandbox with files of its own, but not over the system's", () => {
    const seen = seenPaths(wanted, { ...directory, isolates: ["files"] });
    expect(seen.mounts).toEqual([
      { path: "/w/repo", as: "/app" },
      { path: "/w/logs", as: "/logs" },
      { path: "/w/home" },
      { path: "/w/src" },
    ]);
    expect(["/w/repo", "/w/home"].map(seen.inside)).toEqual(["/app", "/w/home"]);
    expect(seen.rename(text)).toBe(text.replace("/usr/src/app", "/w/src"));
  });

  test("are replaced in its texts elsewhere, where they are whole", () => {
    const seen = seenPaths(wanted, directory);
    expect(seen.inside("/w/repo")).toBe("/w/repo");
    expect(seen.rename(text)).toBe(
      'cd /w/repo && cp /w/repo/a.py /app2; echo 1 > "/w/logs/verifier/reward.txt"; ls /my/app /w/src.',
    );
  });
});
