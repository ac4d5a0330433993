/** What a user's own target needs: `import { defineTarget, z } from "assay/plugin"`. */

export { z } from "zod";
export type { Message, ToolCall } from "./core/message.ts";
export { RandomStream } from "./core/random.ts";
export type { EndInstrument, Instrument, InstrumentContext, Measured } from "./instruments/instrument.ts";
export { defineInstrument } from "./instruments/instrument.ts";
export type { Strategy, View } from "./targets/agent/strategies/strategy.ts";
export { defineStrategy } from "./targets/agent/strategies/strategy.ts";
export type { Call, Policy, PolicySettings, TierOption } from "./targets/sched-sim/policies/policy.ts";
export { definePolicy } from "./targets/sched-sim/policies/policy.ts";
export type { MetricInfo, Target, TargetContext, TargetMetrics } from "./targets/target.ts";
export { defineTarget } from "./targets/target.ts";
