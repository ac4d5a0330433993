const PATTERN = /^\d{8}__\d{2}-\d{2}-\d{2}$/;

/** Whether a folder's name is the time of a launch, such as `20250824__12-34-56`. */
export function isStamp(name: string): boolean {
  return PATTERN.test(name);
}

/** The time of a launch as a folder's name, from an ISO time in UTC; these names sort by time. */
export function stampOf(isoTime: string): string {
  const [date, time] = isoTime.split("T") as [string, string];
  return `${date.replaceAll("-", "")}__${time.slice(0, 8).replaceAll(":", "-")}`;
}

/** What a study's folder is called: its name, or `NAME/STAMP` for one of several launches. */
export function titleOf(studyDir: string): string {
  const [name = "", stamp = ""] = studyDir.split("/").slice(-2);
  return isStamp(stamp) ? `${name}/${stamp}` : stamp;
}

/** A study's name as people see it: with its launch where there are several. */
export function shownName(studyDir: string, name: string | undefined): string {
  const title = titleOf(studyDir);
  return title.includes("/") ? title : (name ?? title);
}
