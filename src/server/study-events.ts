import { JournalFollower, type JournalPlace } from "../archive/follow-journal.ts";
import type { RunRecord } from "../core/run.ts";
import { runRowOf } from "../reporters/run-table.ts";
import type { StudyCard } from "../reporters/study-view.ts";
import { EventChannel } from "./event-channel.ts";

import type { StudyFollower } from "./study-follower.ts";

/** Who is further behind than this does better to ask for the whole table again. */
const MOST_BEHIND_BYTES = 64 << 20;

/**
 * The events of one study for one reader: `rows` of runs that ended, `card`, `stale` (ask for the study again), `notes`
 * (ask for those again) and `reset` (ask for everything again). The id of an event is a place in the journal, so a reader that comes back
 * with the last one gets each row that it missed, once.
 */
export async function studyEvents(
  follower: StudyFollower,
  { from }: { from: JournalPlace | undefined },
): Promise<EventChannel> {
  const channel = new EventChannel();
  channel.send("card", await follower.refresh());
  /** How far this reader has been told; undefined where it asks for everything anyway. */
  let own: JournalFollower | undefined = new JournalFollower(follower.dir, from ?? follower.start);
  const reset = () => {
    own = undefined;
    channel.send("reset", {});
  };
  const tell = (records: readonly RunRecord[], place: JournalPlace) => {
    const rows = records.filter((record) => follower.isShown(record)).map(runRowOf);
    channel.send("rows", { rows }, placeText(place));
  };
  /** Reads for this reader alone what it has not been told: after it was away, or slow. */
  const catchUp = () => {
    const { isReset, records } = own!.read();
    if (isReset) reset();
    else if (records.length > 0) tell(records, own!);
  };
  const { identity, offset } = follower.place;
  if (own.identity !== "" && own.identity !== identity) reset();
  else if (own.offset > offset || offset - own.offset > MOST_BEHIND_BYTES) reset();
  // An event of its own, so that also a reader who has heard nothing yet can come back to this place.
  channel.send("place", {}, placeText(own ?? follower.place));
  /** News that replaces older news waits for a reader that is slow, and is told once. */
  const waiting: { card?: StudyCard; stale?: boolean; notes?: boolean } = {};
  const flush = () => {
    if (!channel.isReady) return;
    if (waiting.card) channel.send("card", waiting.card);
    if (waiting.stale) channel.send("stale", {});
    if (waiting.notes) channel.send("notes", {});
    delete waiting.notes;
    delete waiting.card;
    delete waiting.stale;
  };
  const unsubscribe = follower.subscribe({
    look: (batch) => {
      flush();
      if (!own) own = new JournalFollower(follower.dir, follower.place);
      else if (!channel.isReady) return;
      else if (batch.from === own.offset) {
        own.identity = follower.place.identity;
        own.offset = batch.to;
        if (batch.records.length > 0) tell(batch.records, own);
      } else if (own.offset < follower.place.offset) catchUp();
    },
    card: (card) => {
      waiting.card = card;
      flush();
    },
    stale: () => {
      waiting.stale = true;
      flush();
    },
    notes: () => {
      waiting.notes = true;
      flush();
    },
    reset,
  });
  channel.onClose(unsubscribe);
  return channel;
}

function placeText({ identity, offset }: JournalPlace): string {
  return `${identity}@${offset}`;
}

/** A place as a reader gives it back; undefined when it has none, or one that nobody gave out. */
export function parsePlace(text: string | undefined): JournalPlace | undefined {
  const match = /^(\d+\.\d+|)@(\d{1,15})$/.exec(text ?? "");
  return match ? { identity: match[1]!, offset: Number(match[2]) } : undefined;
}
