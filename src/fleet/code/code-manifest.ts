/** The files that a study brings along, and where they stood: paths are relative to one folder. */
export interface CodeManifest {
  /** That folder on the coordinator's machine: where all machines share it, its files are used in place. */
  root: string;
  /** The folder of the study file, relative to the root; empty is the root itself. */
  base: string;
  files: CodeFile[];
  /** Packages that the files import. */
  packages: string[];
  /** The lock file (or package.json) that says which versions of them; null where there is none. */
  lock: { name: string; sha256: string } | null;
}

export interface CodeFile {
  path: string;
  sha256: string;
  isExecutable: boolean;
}
