import { type ArchiveFacts, type Entry, listEntries, type Omitted, packArchive } from "./archive.ts";

/**
 * Packs a run's folder, without its largest own files until the rest fits; what Assay itself wrote is always sent.
 * Compressed, a file may be anything from all to nothing of the surplus, so how many fit is found by halving; a try
 * ends as soon as it is too large.
 */
export async function packFitting(
  dir: string,
  archive: string,
  { mostBytes, why }: { mostBytes: number; why: string },
): Promise<{ facts: ArchiveFacts; omitted: Omitted[] }> {
  const { entries, omitted } = listEntries(dir);
  const isOwn = ({ path }: Entry) => path.startsWith("out/") || path.startsWith("earlier/");
  const ours = entries.filter((entry) => !isOwn(entry));
  const own = entries.filter(isOwn).sort((a, b) => a.bytes - b.bytes);
  const pack = (count: number) => {
    const room = count > 0 ? { mostBytes } : {};
    return packArchive(dir, [...ours, ...own.slice(0, count)], { archive, ...room });
  };
  let count = own.length;
  let packed = await pack(count);
  if (!packed) {
    let tooMany = count;
    count = 0;
    while (tooMany - count > 1) {
      const middle = Math.floor((count + tooMany) / 2);
      if (await pack(middle)) count = middle;
      else tooMany = middle;
    }
    packed = await pack(count);
  }
  if (!packed) {
    // Even those have grown meanwhile.
    count = 0;
    packed = (await pack(0))!;
  }
  const tooLarge = own.slice(count).map((entry) => ({ ...entry, why }));
  return { facts: packed.facts, omitted: [...omitted, ...packed.omitted, ...tooLarge] };
}
