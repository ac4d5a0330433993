import type { DeclaredStudy } from "../core/study.ts";
import type { Path, SourceFile } from "./source-file.ts";

/** A file format that Assay reads. Pure: the file has been read already. */
export interface Dialect {
  name: string;
  description: string;
  /** Whether the file is in this format, judged by its keys. */
  detects(file: SourceFile): boolean;
  /** The study that the file declares; a mistake in it is a UserError with its place. */
  parse(file: SourceFile): DeclaredStudy;
  /** All studies of a file, where the format can hold several. */
  parseAll?(file: SourceFile): Declared[];
  /** Where in its files parts of a study stand, as far as it is not where native files have them. */
  paths?: Partial<Paths>;
}

/** A study with the part of the file that it stands in. */
export interface Declared {
  study: DeclaredStudy;
  file: SourceFile;
}

/** What messages point at. */
export interface Paths {
  target: Path;
  param(name: string, declared: Declared): Path;
  /** A path below `search:` of a native file: `["space", "lr"]`. */
  search(path: Path): Path;
}
