import { defineStrategy } from "assay/plugin";

/** A context strategy of one's own: the task and the last few turns, and nothing else. */
export default defineStrategy({
  name: "last-turns",
  description: "forgets all but the last turns",
  options: (given) => ({ turns: Number(given.turns ?? 12) }),
  view(messages, { turns }) {
    const newest = messages.at(-1)?.turn ?? 0;
    const shown = messages.filter(
      ({ kind, turn }) => kind === "system" || kind === "task" || turn > newest - turns,
    );
    return { messages: shown, masked: 0 };
  },
});
