import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { TargetRef } from "../../src/core/study.ts";
import { redactorFor } from "../../src/host/environment.ts";
import { TempFolder } from "../support/temp-folder.ts";

const command = (cwd: string): TargetRef => ({ kind: "command", argv: ["true"], cwd, watch: [] });

test("the secrets in .env files beside the study and where its program runs are known", () => {
  using folder = new TempFolder({
    ".env": "API_KEY='beside-the-study'\nMODE=development-mode\n",
    "app/.env.local": 'export DATABASE_URL="postgres://me:where-it-runs@db/main"\n',
    "app/.env.example": "API_KEY=put-your-key-here\n",
  });
  const { text } = redactorFor({
    target: command(`${folder.path}/app`),
    baseDir: folder.path,
    env: { MY_TOKEN: "of-the-study" },
  });
  expect(text("beside-the-study where-it-runs of-the-study")).toBe(
    "[secret API_KEY] [secret DATABASE_URL] [secret MY_TOKEN]",
  );
  expect(text("put-your-key-here development-mode")).toBe("put-your-key-here development-mode");
});

test("a .env that is a folder, a pipe or not there hides nothing and blocks nobody", () => {
  using folder = new TempFolder({ ".env/deep": "", ".env.staging": "API_KEY=a-real-secret" });
  execFileSync("mkfifo", [`${folder.path}/.env.local`]);
  const knowing = { target: command(`${folder.path}/none`), baseDir: folder.path, env: {} };
  expect(redactorFor(knowing).text("a-real-secret")).toBe("[secret API_KEY]");
});
