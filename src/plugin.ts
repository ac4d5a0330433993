/** What a user's own target needs: `import { defineTarget, z } from "assay/plugin"`. */

export { z } from "zod";
export { RandomStream } from "./core/random.ts";
export type { MetricInfo, Target, TargetContext, TargetMetrics } from "./targets/target.ts";
export { defineTarget } from "./targets/target.ts";
