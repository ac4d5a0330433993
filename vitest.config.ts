import { defineConfig } from "vitest/config";

const alias = {
  "assay/plugin": new URL("./src/plugin.ts", import.meta.url).pathname,
  "assay/stats": new URL("./src/stats/index.ts", import.meta.url).pathname,
  assay: new URL("./src/index.ts", import.meta.url).pathname,
};
const shared = { globalSetup: ["./scripts/build-once.ts"] };

/** `unit` is a developer's inner loop; `system` starts real processes on the built program. */
export default defineConfig({
  test: {
    reporters: ["default", "./scripts/closing-line.ts"],
    projects: [
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/system/**"],
          // The rooms under test keep no state of their own, so files can share a thread and what it has loaded.
          pool: "threads",
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        resolve: { alias },
        test: { ...shared, name: "system", include: ["test/system/**/*.test.ts"], testTimeout: 240_000 },
      },
    ],
  },
});
