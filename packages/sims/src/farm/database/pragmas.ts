import * as z from "zod";
import { type Database, readValue } from "./database.ts";

const JOURNAL_MODES = ["delete", "truncate", "persist", "memory", "wal", "off"] as const;
const SYNCHRONOUS = ["off", "normal", "full", "extra"] as const;
const MIB = 1024 * 1024;

/** The settings of a database that a profile is made of. Negative cache sizes are KiB, positive ones pages. */
export interface Pragmas {
  journal_mode: (typeof JOURNAL_MODES)[number];
  synchronous: (typeof SYNCHRONOUS)[number];
  cache_size: number;
  mmap_size: number;
  page_size: number;
}

/** Named settings, from what survives a power cut to what only survives when nothing goes wrong. */
export const pragmaProfiles = {
  safety: { journal_mode: "wal", synchronous: "full", cache_size: -16_384, mmap_size: 0, page_size: 4096 },
  balanced: {
    journal_mode: "wal",
    synchronous: "normal",
    cache_size: -65_536,
    mmap_size: 0,
    page_size: 4096,
  },
  performance: {
    journal_mode: "memory",
    synchronous: "off",
    cache_size: -262_144,
    mmap_size: 256 * MIB,
    page_size: 8192,
  },
  memory: {
    journal_mode: "truncate",
    synchronous: "normal",
    cache_size: -1024,
    mmap_size: 0,
    page_size: 4096,
  },
  default: { journal_mode: "delete", synchronous: "full", cache_size: -2000, mmap_size: 0, page_size: 4096 },
} as const satisfies Record<string, Pragmas>;

export type ProfileName = keyof typeof pragmaProfiles;
export const PROFILE_NAMES = Object.keys(pragmaProfiles) as [ProfileName, ...ProfileName[]];

/** Single settings that replace those of a profile; null keeps the profile's. */
export const pragmaShape = {
  journal_mode: z.enum(JOURNAL_MODES).nullable().default(null).describe("Instead of the profile's"),
  synchronous: z.enum(SYNCHRONOUS).nullable().default(null).describe("Instead of the profile's"),
  cache_size: z
    .int()
    .min(-16_777_216)
    .max(10_000_000)
    .nullable()
    .default(null)
    .describe("Instead of the profile's; below 0 in KiB, above in pages"),
  mmap_size: z
    .int()
    .min(0)
    .max(2_147_418_112)
    .nullable()
    .default(null)
    .describe("Instead of the profile's; bytes"),
  page_size: z
    .union([512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536].map((size) => z.literal(size)))
    .nullable()
    .default(null)
    .describe("Instead of the profile's; bytes, a power of two from 512 to 65536"),
};

type PragmaOverrides = { [K in keyof Pragmas]: Pragmas[K] | null };

export function choosePragmas(profile: ProfileName, overrides: PragmaOverrides): Pragmas {
  const { journal_mode, synchronous, cache_size, mmap_size, page_size } = overrides;
  const profiled = pragmaProfiles[profile];
  return {
    journal_mode: journal_mode ?? profiled.journal_mode,
    synchronous: synchronous ?? profiled.synchronous,
    cache_size: cache_size ?? profiled.cache_size,
    mmap_size: mmap_size ?? profiled.mmap_size,
    page_size: page_size ?? profiled.page_size,
  };
}

/**
 * Sets all of them on a database in a file, and reads each one back: SQLite ignores what it can't do without a word.
 * The page size only counts before the first table is made.
 */
export function applyPragmas(db: Database, pragmas: Pragmas): void {
  db.prepare(`PRAGMA page_size = ${pragmas.page_size}`).all();
  for (const name of ["journal_mode", "synchronous", "cache_size", "mmap_size"] as const) {
    db.prepare(`PRAGMA ${name} = ${pragmas[name]}`).all();
  }
  const wanted: Record<keyof Pragmas, number | string> = {
    ...pragmas,
    synchronous: SYNCHRONOUS.indexOf(pragmas.synchronous),
  };
  for (const [name, value] of Object.entries(wanted)) {
    const found = readValue(db, `PRAGMA ${name}`);
    if (found === value) continue;
    throw new Error(`SQLite did not take ${name} = ${value}: it is ${found}`);
  }
}
