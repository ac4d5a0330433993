/** Something to keep in mind, for programs by its kind and for people by its text. */
export interface Warning {
  /** `left-out`, `read-otherwise`, `missing-file`, ... */
  kind: string;
  level: "warn" | "info";
  text: string;
}
