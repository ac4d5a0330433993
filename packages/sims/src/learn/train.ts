import { architectures } from "./architectures/index.ts";
import { curricula } from "./curricula.ts";
import { Episodes } from "./episodes.ts";
import type { LearnParams } from "./params.ts";
import { World } from "./world.ts";

/** One point of the learning curve: means over the episodes that ended since the point before. */
export interface CurvePoint {
  step: number;
  /** Sum of an episode's rewards. */
  reward: number;
  /** Share of episodes that ended at the goal that pays in full. */
  success: number;
  /** Steps of an episode. */
  length: number;
  /** Share of random moves. */
  exploration: number;
  /** Episodes so far. */
  episodes: number;
}

/** Trains one agent from scratch; gives the points of its learning curve, then how many states it came to know. */
export function* train(params: LearnParams, seed: number): Generator<CurvePoint, { states: number }> {
  const { steps, points } = params;
  const { world, episodes } = startTraining(params, seed);
  let since = { reward: 0, won: 0, steps: 0, episodes: 0 };
  let point = 1;
  for (let step = 1; step <= steps; step++) {
    const exploration = explorationAt(step / steps, params);
    episodes.step(exploration);
    if (episodes.isAtEnd) {
      since.reward += episodes.reward;
      since.won += world.isWon ? 1 : 0;
      since.steps += episodes.steps;
      since.episodes++;
      episodes.turnOver();
    }
    if (step < Math.round((point * steps) / points)) continue;
    // Never without an episode: the schema keeps points further apart than the longest one.
    const n = since.episodes;
    const means = { reward: since.reward / n, success: since.won / n, length: since.steps / n };
    yield { step, ...means, exploration, episodes: episodes.ended };
    since = { reward: 0, won: 0, steps: 0, episodes: 0 };
    point++;
  }
  return { states: episodes.learner.countKnown() };
}

function startTraining(params: LearnParams, seed: number): { world: World; episodes: Episodes } {
  const curriculum = curricula[params.curriculum];
  const world = new World(curriculum, seed, {
    maps: params.maps,
    slip: params.slip,
    wrongGoalReward: params.wrong_goal_reward,
  });
  const architecture = architectures[params.architecture](World.SYMBOLS, params.memory);
  const episodes = new Episodes(world, architecture, seed, {
    longestEpisode: curriculum.longestEpisode,
    learningRate: params.learning_rate,
    discount: params.discount,
    lambda: params.lambda,
    hope: params.hope,
  });
  return { world, episodes };
}

/** Falls on a straight line, then stays. `progress` is the share of the training that is over. */
function explorationAt(progress: number, params: LearnParams): number {
  const { explore_start, explore_end, explore_share } = params;
  if (progress >= explore_share) return explore_end;
  return explore_start + (progress / explore_share) * (explore_end - explore_start);
}
