/** What a user's own target needs: `import { defineTarget, z } from "assay/plugin"`. */

export { z } from "zod";
export * from "../packages/sims/src/plugin.ts";
export { MachineError, UserError } from "./core/errors.ts";
export type { Message, ToolCall } from "./core/message.ts";
export { RandomStream } from "./core/random.ts";
export { nearest, suggestion } from "./core/suggest.ts";
export type { EndInstrument, Instrument, InstrumentContext, Measured } from "./instruments/instrument.ts";
export { defineInstrument } from "./instruments/instrument.ts";
export type { Strategy, View } from "./targets/agent/strategies/strategy.ts";
export { defineStrategy } from "./targets/agent/strategies/strategy.ts";
export { checkParams } from "./targets/check-params.ts";
export { loadModule } from "./targets/load-module.ts";
export type { MetricInfo, Target, TargetContext, TargetMetrics } from "./targets/target.ts";
export { defineTarget } from "./targets/target.ts";
export type { Candidate, Suite, TargetPackage } from "./targets/target-package.ts";
