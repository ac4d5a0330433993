import { RandomStream } from "../../core/random.ts";

/** The ways in which the model errs. */
export type Slip = "oversee" | "misquote" | "wrong-fix" | "submit-unchecked" | "forget" | "misjudge";

const BASE: Record<Slip, number> = {
  oversee: 0.15,
  misquote: 0.06,
  "wrong-fix": 0.08,
  "submit-unchecked": 0.08,
  forget: 0.05,
  misjudge: 0.1,
};
/** In a prompt of this many tokens, what matters is overseen this much more often. */
const LONG_PROMPT_TOKENS = 16_000;
const OVERSEE_WHEN_LONG = 0.1;

/**
 * Chance, by the seed and what is decided alone: the same decision under another strategy draws the same number, so
 * that strategies are compared pairwise. Long prompts distract: this is an assumption that is built in, not a finding.
 */
export class Slips {
  readonly #seed: number;
  readonly #promptTokens: number;

  constructor(seed: number, promptTokens: number) {
    this.#seed = seed;
    this.#promptTokens = promptTokens;
  }

  happens(slip: Slip, decision: string): boolean {
    const isHard = slip === "oversee";
    const more = isHard ? OVERSEE_WHEN_LONG * Math.min(1, this.#promptTokens / LONG_PROMPT_TOKENS) : 0;
    return this.draw(slip, decision) < BASE[slip] + more;
  }

  draw(slip: Slip, decision: string): number {
    return new RandomStream(this.#seed, `scripted ${slip} ${decision}`).uniform(0);
  }
}
