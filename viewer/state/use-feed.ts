import { useEffect, useState } from "preact/hooks";
import type { Source } from "../source/source.ts";
import { StudyFeed } from "./study-feed.ts";

const feeds = new Map<string, { feed: StudyFeed; users: number }>();

/**
 * The feed of a study, shared by the views of it; it ends a while after the last of them went. It begins with the first
 * view that wants it: what a reader came for need not wait for the rest.
 */
export function useFeed(source: Source, id: string, { isWanted = true, withRuns = false } = {}): StudyFeed {
  const feed = feedOf(source, id);
  if (isWanted) feed.start({ withRuns });
  const [, setVersion] = useState(0);
  useEffect(() => {
    const entry = feeds.get(id)!;
    entry.users++;
    const leave = feed.subscribe(() => setVersion(feed.version));
    setVersion(feed.version);
    return () => {
      leave();
      entry.users--;
      setTimeout(() => {
        if (entry.users > 0 || feeds.get(id) !== entry) return;
        feed.stop();
        feeds.delete(id);
      }, 2000);
    };
  }, [feed, id]);
  return feed;
}

function feedOf(source: Source, id: string): StudyFeed {
  const known = feeds.get(id);
  if (known) return known.feed;
  const feed = new StudyFeed(source, id);
  feeds.set(id, { feed, users: 0 });
  return feed;
}
