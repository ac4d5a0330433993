import type { SimParams } from "../params.ts";
import { WORKFLOW_DONE, WORKFLOW_START } from "../trace-log.ts";
import { EXTRACT_EVIDENCE, NODE_TYPES } from "../workflow-graph.ts";
import { OUTCOMES, type WorkflowOutcome } from "./workflow-table.ts";
import type { World } from "./world.ts";

/** What the runner needs of the side that runs nodes. */
interface Nodes {
  submit(place: number): void;
  cancelAll(workflow: number): void;
}

/** Leads each workflow through its graph: what follows a finished node, and when enough is enough. */
export class WorkflowRunner {
  readonly #world: World;
  readonly #nodes: Nodes;
  readonly #findProb: Float64Array;
  underWay = 0;

  constructor(world: World, nodes: Nodes) {
    this.#world = world;
    this.#nodes = nodes;
    this.#findProb = new Float64Array(world.table.count);
  }

  begin(workflow: number): void {
    const { table, nowUs, trace, fate } = this.#world;
    this.underWay++;
    table.arrivedUs[workflow] = nowUs;
    this.#findProb[workflow] = fate.findProb(workflow);
    trace?.add(WORKFLOW_START, nowUs, workflow);
    this.#beginIteration(workflow);
  }

  /** Makes ready what waited for this node alone. */
  nodeFinished(place: number): void {
    const { table, graph } = this.#world;
    const workflow = table.workflowOf(place);
    const node = place - workflow * graph.size;
    const type = graph.types[node]!;
    table.unfinished[workflow * NODE_TYPES.length + type]!--;
    if (type === EXTRACT_EVIDENCE) this.#collectEvidence(workflow, node);
    if (node === graph.size - 1) {
      this.#endIteration(workflow);
      return;
    }
    for (const child of graph.children[node]!) {
      const next = workflow * graph.size + child;
      if (--table.parentsLeft[next]! === 0) this.#ready(next);
      if (table.outcome[workflow] !== -1) return; // the workflow ran out of money on a child
    }
  }

  end(workflow: number, outcome: WorkflowOutcome): void {
    const { table, nowUs, trace } = this.#world;
    const code = OUTCOMES.indexOf(outcome);
    table.outcome[workflow] = code;
    table.endedUs[workflow] = nowUs;
    this.underWay--;
    if (outcome !== "finished") this.#nodes.cancelAll(workflow);
    trace?.add(WORKFLOW_DONE, nowUs, workflow, -1, -1, code);
  }

  #beginIteration(workflow: number): void {
    const { table, graph } = this.#world;
    table.renew(workflow);
    this.#ready(workflow * graph.size);
  }

  #endIteration(workflow: number): void {
    const { table, params, fate } = this.#world;
    const iteration = table.iteration[workflow]!;
    const isLast = iteration + 1 >= params.iters || params.shape === "single_call";
    const coveredPdfs = table.covered[workflow]!;
    const evidence = table.evidence[workflow]!;
    const stopsEarly = fate.stopsEarly(workflow, iteration);
    if (isLast || foundEnough(params, { coveredPdfs, evidence, stopsEarly })) {
      this.end(workflow, "finished");
      return;
    }
    table.iteration[workflow]!++;
    this.#beginIteration(workflow);
  }

  #ready(place: number): void {
    this.#world.table.readyUs[place] = this.#world.nowUs;
    this.#nodes.submit(place);
  }

  #collectEvidence(workflow: number, node: number): void {
    const { table, graph, fate, params } = this.#world;
    const number = table.nodeNumber(workflow * graph.size + node);
    const found = fate.evidence(workflow, number, this.#findProb[workflow]!);
    if (found === 0) return;
    table.evidence[workflow]! += found;
    const pdf = workflow * params.pdfs + graph.pdfs[node]!;
    table.covered[workflow]! += 1 - table.isCovered[pdf]!;
    table.isCovered[pdf] = 1;
  }
}

interface Findings {
  coveredPdfs: number;
  evidence: number;
  /** Whether chance lets a workflow stop on the early thresholds. */
  stopsEarly: boolean;
}

/** Whether a workflow has found enough. Evidence counts through all its iterations. */
function foundEnough(params: SimParams, { coveredPdfs, evidence, stopsEarly }: Findings): boolean {
  const { stop, pdfs, subqueries } = params;
  const coverage = coveredPdfs / pdfs;
  const confidence = Math.min(1, evidence / (2 * pdfs * subqueries));
  if (coverage >= stop.coverage && confidence >= stop.confidence) return true;
  return stopsEarly && coverage >= stop.early_coverage && confidence >= stop.early_confidence;
}
