/** The steps of one iteration, in the order in which they follow each other. */
export const NODE_TYPES = [
  "Plan",
  "LoadPDF",
  "Chunk",
  "Embed",
  "SimilaritySearch",
  "ExtractEvidence",
  "Aggregate",
  "DecideNext",
] as const;

export type NodeType = (typeof NODE_TYPES)[number];

/** What a step runs on: workers of the machine, or a provider's tiers. */
export type Resource = "cpu_workers" | "io_workers" | "embed_provider" | "llm_provider";

export const RESOURCE_OF: Record<NodeType, Resource> = {
  Plan: "llm_provider",
  LoadPDF: "io_workers",
  Chunk: "cpu_workers",
  Embed: "embed_provider",
  SimilaritySearch: "cpu_workers",
  ExtractEvidence: "llm_provider",
  Aggregate: "cpu_workers",
  DecideNext: "llm_provider",
};

/** Positions in NODE_TYPES, for the typed arrays. */
export const PLAN = 0;
export const LOAD_PDF = 1;
export const CHUNK = 2;
export const EMBED = 3;
export const SIMILARITY_SEARCH = 4;
export const EXTRACT_EVIDENCE = 5;
export const AGGREGATE = 6;
export const DECIDE_NEXT = 7;
