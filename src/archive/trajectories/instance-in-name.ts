/** A file that is named for its task (`owner__repository-123.traj`) says which it is. */
export function instanceInName(name: string): string | null {
  const bare = name.replace(/(\.traj)?(\.json)?$/, "");
  return /^[\w.-]+__[\w.-]+-\d+$/.test(bare) ? bare : null;
}
