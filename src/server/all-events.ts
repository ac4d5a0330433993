import { EventChannel } from "./event-channel.ts";
import type { Followers } from "./followers.ts";

const LOOK_MS = 500;

/** The cards of all studies for one reader: `cards` when studies came or went, `card` when one has changed. */
export async function allEvents(followers: Followers): Promise<EventChannel> {
  const channel = new EventChannel();
  let told: Map<string, string> | undefined;
  const look = async () => {
    const cards = await followers.cards();
    if (!channel.isReady) return;
    const texts = new Map(cards.map((card) => [card.id, JSON.stringify(card)]));
    const before = told;
    const isSameList = before?.size === texts.size && cards.every(({ id }) => before.has(id));
    if (!isSameList) channel.send("cards", cards);
    else for (const card of cards) if (texts.get(card.id) !== before.get(card.id)) channel.send("card", card);
    told = texts;
  };
  const again = async () => {
    await look().catch(() => {});
    if (!channel.isClosed) timer = setTimeout(again, LOOK_MS);
  };
  let timer: NodeJS.Timeout | undefined;
  channel.onClose(() => clearTimeout(timer));
  await again();
  return channel;
}
