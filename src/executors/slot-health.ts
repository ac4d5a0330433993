import type { Outcome } from "../core/run.ts";

/** A slot is set aside where chance would let so many runs fail in a row less often than this. */
const CHANCE = 0.001;

interface Tally {
  fine: number;
  failed: number;
  inARow: number;
}

/**
 * Tells when a slot is gone, such as a graphics card that fell off its bus: all of its runs fail, and at once, so it would
 * take one run after the other from those that work. How likely a failure is, the other slots say; the last one stays.
 */
export class SlotHealth {
  readonly #tallies: Tally[];
  readonly #out = new Set<number>();

  constructor(slots: number) {
    this.#tallies = Array.from({ length: slots }, () => ({ fine: 0, failed: 0, inARow: 0 }));
  }

  isOut(slot: number): boolean {
    return this.#out.has(slot);
  }

  /** Whether the slot is set aside now, with this run. */
  note(slot: number, { status }: Outcome): boolean {
    const tally = this.#tallies[slot];
    if (!tally || this.#out.has(slot)) return false;
    if (status === "ok" || status === "stopped") {
      tally.fine++;
      tally.inARow = 0;
    }
    if (status === "failed" || status === "timeout") {
      tally.failed++;
      tally.inARow++;
    }
    if (this.#out.size + 1 >= this.#tallies.length || this.#rateBeside(slot) ** tally.inARow >= CHANCE)
      return false;
    this.#out.add(slot);
    return true;
  }

  /** How often runs fail elsewhere; one half where nobody knows (Laplace's rule). */
  #rateBeside(slot: number): number {
    const others = this.#tallies.filter((_, i) => i !== slot && !this.#out.has(i));
    const failed = others.reduce((sum, one) => sum + one.failed, 0);
    return (failed + 1) / (others.reduce((sum, one) => sum + one.fine, failed) + 2);
  }
}

export function slotNotice(slot: number, variables: Record<string, string>): string {
  const said = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return `slot ${slot + 1} (${said.join(" ")}) gets no more runs: its last ones all failed, far more often than elsewhere. The same command runs them again`;
}
