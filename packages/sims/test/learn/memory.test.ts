import { type Interval, pairedInterval } from "assay/stats";
import { describe, expect, it } from "vitest";
import { answer } from "../../../../test/stats/answer.ts";
import { SEEDS, trained } from "./training.ts";

/** By how much trxl is better than vit_reset at the end, seed by seed. */
function advantage(params: Record<string, unknown>): Interval {
  const [candidate, control] = ["trxl", "vit_reset"].map((architecture) =>
    SEEDS.map((seed) => trained({ ...params, architecture }, seed).metrics.reward_auc_last25!),
  );
  return answer(pairedInterval(candidate!, control!));
}

describe("memory", () => {
  it("helps where a sign tells the goal", () => {
    expect(advantage({ curriculum: "terrain_2" }).low).toBeGreaterThan(0.15);
  });

  it("helps where two signs do", () => {
    expect(advantage({ curriculum: "terrain_3" }).low).toBeGreaterThan(0.2);
  });

  it("makes no difference to speak of where the sign means nothing", () => {
    const { low, high } = advantage({ curriculum: "terrain_1" });
    expect(low).toBeGreaterThan(-0.04);
    expect(high).toBeLessThan(0.04);
  });

  it("makes no difference to speak of where all goals pay the same", () => {
    const { low, high } = advantage({ curriculum: "terrain_2", wrong_goal_reward: 1 });
    expect(low).toBeGreaterThan(-0.04);
    expect(high).toBeLessThan(0.04);
  });

  it("of two signs finds more of the right goals of terrain_3 than of one", () => {
    const success = (memory: number) => {
      const params = { curriculum: "terrain_3", architecture: "trxl", memory };
      return SEEDS.slice(0, 8).map((seed) => trained(params, seed).metrics.success_final!);
    };
    expect(answer(pairedInterval(success(2), success(1))).low).toBeGreaterThan(0.1);
  });
});
