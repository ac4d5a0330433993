/** Whether a name is a file of the user's, not the name of something that ships. */
export function isFileName(name: string): boolean {
  return name.startsWith(".") || name.startsWith("/") || /\.[cm]?[jt]s$/.test(name);
}

/** A path in a study file, seen from the root. */
export function below(dir: string, path: string): string {
  return path.startsWith("/") ? path : `${dir}/${path.replace(/^(\.\/)+/, "")}`;
}

/** The full path of a user's file; any other name as it is. */
export function fileOrName(dir: string, name: string): string {
  return isFileName(name) ? below(dir, name) : name;
}
