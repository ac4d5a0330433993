import { trxl } from "./trxl.ts";
import { vitReset } from "./vit-reset.ts";

/** By the names of the benchmark whose protocol studies of this target follow. */
export const architectures = { vit_reset: vitReset, trxl };

export type ArchitectureName = keyof typeof architectures;
