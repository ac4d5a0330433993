/** What may be asked of a running study from outside: a small file in its folder `control/`. */
export interface ControlRequest {
  /** `pause`: launch nothing more; runs in progress continue. `cancel`: end what runs, all of it or one run. */
  action: "pause" | "resume" | "cancel";
  /** The id of the one run to cancel; the whole launch when absent. */
  run?: string;
  /** Who asked, as it stands after "cancelled": "from the page". */
  by: string;
}

export function isControlRequest(value: unknown): value is ControlRequest {
  const { action, run, by } = (value ?? {}) as Record<string, unknown>;
  return (
    (action === "pause" || action === "resume" || action === "cancel") &&
    (run === undefined || typeof run === "string") &&
    typeof by === "string"
  );
}
