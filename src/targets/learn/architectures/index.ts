import type { Architecture } from "./architecture.ts";
import { trxl } from "./trxl.ts";
import { vitReset } from "./vit-reset.ts";

/** By the names of the benchmark that the study follows. */
export const architectures = {
  vit_reset: (symbols: number, _memory: number): Architecture => vitReset(symbols),
  trxl: (symbols: number, memory: number): Architecture => trxl(symbols, memory),
};

export type ArchitectureName = keyof typeof architectures;
