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
const PLAN = 0;
const LOAD_PDF = 1;
const CHUNK = 2;
const EMBED = 3;
const SIMILARITY_SEARCH = 4;
export const EXTRACT_EVIDENCE = 5;
const AGGREGATE = 6;
const DECIDE_NEXT = 7;

/** One iteration of a workflow: every workflow has the same graph, so it exists once. */
export interface WorkflowGraph {
  size: number;
  /** Position in NODE_TYPES, for each node. */
  types: Uint8Array;
  parents: Int32Array;
  children: readonly Int32Array[];
  /** Which pdf a node is about; 0 for those about none. */
  pdfs: Uint16Array;
  countByType: Int32Array;
}

/**
 * Plan, then for each pdf LoadPDF, Chunk, Embed, then for each subquery SimilaritySearch and ExtractEvidence;
 * all join in Aggregate, then DecideNext: 3 + pdfs * (3 + 2 * subqueries) nodes, numbered in that order.
 */
export function researchGraph(pdfs: number, subqueries: number): WorkflowGraph {
  const perPdf = 3 + 2 * subqueries;
  const size = 3 + pdfs * perPdf;
  const graph = emptyGraph(size);
  const aggregate = size - 2;
  place(graph, 0, PLAN);
  for (let pdf = 0; pdf < pdfs; pdf++) {
    const load = 1 + pdf * perPdf;
    place(graph, load, LOAD_PDF, pdf);
    place(graph, load + 1, CHUNK, pdf);
    place(graph, load + 2, EMBED, pdf);
    graph.edges.push([0, load], [load, load + 1], [load + 1, load + 2]);
    for (let search = load + 3; search < load + perPdf; search += 2) {
      place(graph, search, SIMILARITY_SEARCH, pdf);
      place(graph, search + 1, EXTRACT_EVIDENCE, pdf);
      graph.edges.push([load + 2, search], [search, search + 1], [search + 1, aggregate]);
    }
  }
  place(graph, aggregate, AGGREGATE);
  place(graph, aggregate + 1, DECIDE_NEXT);
  graph.edges.push([aggregate, aggregate + 1]);
  return connect(graph);
}

/** A workflow of one call: with exponential service and Poisson arrivals, a textbook queue. */
export function singleCallGraph(): WorkflowGraph {
  const graph = emptyGraph(1);
  place(graph, 0, PLAN);
  return connect(graph);
}

interface Draft {
  types: Uint8Array;
  pdfs: Uint16Array;
  edges: [from: number, to: number][];
}

function emptyGraph(size: number): Draft {
  return { types: new Uint8Array(size), pdfs: new Uint16Array(size), edges: [] };
}

function place(draft: Draft, node: number, type: number, pdf = 0): void {
  draft.types[node] = type;
  draft.pdfs[node] = pdf;
}

function connect({ types, pdfs, edges }: Draft): WorkflowGraph {
  const parents = new Int32Array(types.length);
  const children: number[][] = Array.from(types, () => []);
  for (const [from, to] of edges) {
    parents[to]!++;
    children[from]!.push(to);
  }
  const countByType = new Int32Array(NODE_TYPES.length);
  for (const type of types) countByType[type]!++;
  return {
    size: types.length,
    types,
    parents,
    children: children.map((list) => Int32Array.from(list)),
    pdfs,
    countByType,
  };
}
