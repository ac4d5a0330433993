import { type ArchiveFacts, type Entry, listEntries, packArchive } from "./archive.ts";

/** Packs a run's folder, without its largest own files until the rest fits; what Assay itself wrote is always sent. */
export async function packFitting(
  dir: string,
  archive: string,
  mostBytes: number,
): Promise<{ facts: ArchiveFacts; omitted: Entry[] }> {
  let entries = listEntries(dir);
  const omitted: Entry[] = [];
  for (;;) {
    const facts = await packArchive(dir, entries, archive);
    const own = entries.filter(({ path }) => path.startsWith("out/") || path.startsWith("earlier/"));
    if (facts.bytes <= mostBytes || own.length === 0) return { facts, omitted };
    // Compressed, a file may be anything from all to nothing of the surplus, so one goes at a time.
    const largest = own.reduce((a, b) => (b.bytes > a.bytes ? b : a));
    omitted.push(largest);
    entries = entries.filter((entry) => entry !== largest);
  }
}
