/** By these a runner finds what a killed one left running. */
const RUN_MARKS = ["ASSAY_STUDY_DIR", "ASSAY_RUN_ID", "ASSAY_RUNNER", "ASSAY_WITHIN"];

/** By this an execution finds all that it started. Several where a sandbox runs inside another one. */
export const EXECUTION_MARK = "ASSAY_SANDBOX";

/** Our own environment for what may outlive a run, and its runner: without the marks by which they end what they started. */
export function lastingEnvironment(): Record<string, string> {
  const marks = [...RUN_MARKS, EXECUTION_MARK];
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !marks.includes(name))) as Record<
    string,
    string
  >;
}

/**
 * Of our own environment a program gets only what it needs to run: no keys, no tokens. What `own` names goes before.
 */
export function programEnvironment(
  own: Record<string, string>,
  { cwd, tmp }: { cwd: string; tmp: string },
): Record<string, string> & { PATH: string } {
  const { PATH = "/usr/local/bin:/usr/bin:/bin", LANG = "C.UTF-8" } = process.env;
  const marks = [...RUN_MARKS, EXECUTION_MARK].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return {
    PATH,
    LANG,
    HOME: cwd,
    PWD: cwd,
    TMPDIR: tmp,
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    ...own,
    ...Object.fromEntries(marks),
  };
}
