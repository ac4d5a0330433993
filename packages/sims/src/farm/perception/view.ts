/** What a view consists of, in this order. */
export const CHANNELS = ["resources", "agents", "trail", "edge", "visibility"] as const;
export type Channel = (typeof CHANNELS)[number];

export interface ViewOptions {
  radius: number;
  fovRadius: number;
  /** Fields are read where an agent really stands, between cells; else cell by cell. */
  bilinear: boolean;
}

/** What all agents of a world see. */
export interface Views {
  /** Looks anew, at the fields as they are now. */
  fill(): void;
  /** All channels of one agent's view, [channels, rows, columns]. */
  viewOf(slot: number): Float32Array;
  /** What is held for all views. */
  bytes(): number;
}

export const STORAGE_MODES = ["hybrid", "dense"] as const;
export type StorageMode = (typeof STORAGE_MODES)[number];
