import { isAbsolute } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { Store } from "../broker/store.ts";
import type { FileRoute } from "./file-route.ts";

/** The way that a study names for its files: the queue itself, a folder that all share, or s3://bucket/prefix. */
export async function openRoute(files: string, store: Store): Promise<FileRoute> {
  if (files === "queue") return (await import("./queue-route.ts")).queueRoute(store);
  if (files.startsWith("s3:")) return (await import("./s3-route.ts")).s3Route(files);
  if (isAbsolute(files)) return (await import("./folder-route.ts")).folderRoute(files);
  throw new UserError("executor.queue.files", {
    expected: "queue, an absolute path of a folder that all machines share, or s3://bucket/prefix",
    got: JSON.stringify(files),
  });
}
