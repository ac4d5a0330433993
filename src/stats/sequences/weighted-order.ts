import type { RandomStream } from "../../core/random.ts";
import type { Draw } from "./bet.ts";

/** A draw, and how its value must count so that the draws stand for the whole set. */
export interface WeightedDraw extends Draw {
  index: number;
}

/**
 * Draws items one after the other, each from those left with a chance proportional to its weight; with what a bet on the
 * mean needs to stay fair (`MeanBet.add`). Weights may change between draws, by whatever was seen so far. Source:
 * inverse-probability weights for draws without replacement, D. Raj, JASA 51 (1956), 269-284. Drawn by a tree of sums, which
 * takes O(log n) and doesn't mind how unlike the weights are: C. K. Wong and M. C. Easton, SIAM J. Comput. 9 (1980), 111-113.
 */
export class WeightedOrder {
  /** Node i has the sum of nodes 2i and 2i + 1; those of the items are the last ones, and 0 where an item is drawn. */
  private readonly tree: Float64Array;
  private readonly leaves: number;
  private count: number;
  /** Of what was left when the weights were set; what is left now lies between them. */
  private least = 1;
  private most = 1;

  private readonly next: () => number;

  constructor(
    private readonly size: number,
    stream: Pick<RandomStream, "sequence">,
  ) {
    this.next = stream.sequence();
    this.leaves = 2 ** Math.ceil(Math.log2(Math.max(1, size)));
    this.tree = new Float64Array(2 * this.leaves);
    this.count = size;
    this.tree.fill(1, this.leaves, this.leaves + size);
    this.weigh(() => 1);
  }

  get left(): number[] {
    const { tree, leaves, size } = this;
    const left: number[] = [];
    for (let index = 0; index < size; index++) if (tree[leaves + index]! > 0) left.push(index);
    return left;
  }

  /** Sets the weights of what is left: above 0. */
  weigh(weightOf: (index: number) => number): void {
    const { tree, leaves } = this;
    this.least = Number.POSITIVE_INFINITY;
    this.most = 0;
    for (const index of this.left) {
      const weight = weightOf(index);
      tree[leaves + index] = weight;
      this.least = Math.min(this.least, weight);
      this.most = Math.max(this.most, weight);
    }
    for (let node = leaves - 1; node > 0; node--) tree[node] = tree[2 * node]! + tree[2 * node + 1]!;
  }

  draw(): WeightedDraw {
    const { tree, leaves, least, most } = this;
    const even = tree[1]! / this.count--;
    let at = this.next() * tree[1]!;
    let node = 1;
    while (node < leaves) {
      node *= 2;
      // By rounding, a sum may fall short of what was drawn where nothing is left beyond it.
      if (at < tree[node]! || tree[node + 1] === 0) continue;
      at -= tree[node]!;
      node++;
    }
    const weight = tree[node]!;
    tree[node] = 0;
    for (let above = node >> 1; above > 0; above >>= 1) tree[above] = tree[2 * above]! + tree[2 * above + 1]!;
    return { index: node - leaves, odds: even / weight, leastOdds: even / most, mostOdds: even / least };
  }
}
