import { defineConfig } from "vitest/config";

const alias = {
  "assay/plugin": new URL("./src/plugin.ts", import.meta.url).pathname,
  "assay/stats": new URL("./src/stats/index.ts", import.meta.url).pathname,
  assay: new URL("./src/index.ts", import.meta.url).pathname,
};

/** `unit` is a developer's inner loop; `system` starts real processes on the built program. */
export default defineConfig({
  test: {
    reporters: ["default", "./scripts/closing-line.ts"],
    projects: [
      {
        resolve: { alias },
        test: { name: "unit", include: ["test/**/*.test.ts"], exclude: ["test/system/**"], globalSetup: ["./scripts/build-once.ts"], testTimeout: 30_000 },
      },
      {
        resolve: { alias },
        test: {
          name: "system",
          include: ["test/system/**/*.test.ts"],
          globalSetup: ["./scripts/build-once.ts"],
          testTimeout: 240_000,
        },
      },
    ],
  },
});
