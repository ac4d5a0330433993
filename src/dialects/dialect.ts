import type { Study } from "../core/study.ts";
import type { SourceFile } from "./source-file.ts";

/** A file format that Assay reads. Pure: the file has been read already. */
export interface Dialect {
  name: string;
  description: string;
  /** Whether the file is in this format, judged by its keys. */
  detects(file: SourceFile): boolean;
  /** The study that the file declares; a mistake in it is a UserError with its place. */
  parse(file: SourceFile): Study;
  /** All studies of a file, where the format can hold several. */
  parseAll?(file: SourceFile): Declared[];
}

/** A study with the part of the file that it stands in. */
export interface Declared {
  study: Study;
  file: SourceFile;
}
