import type { Attributes, SpanKind, SpanStatus } from "@opentelemetry/api";

/** The spans of one run: a root, and one level under it. */
export interface TraceTree {
  root: OpenSpan;
  startSpan(span: SpanStart): OpenSpan;
  /** Resolves when all that has ended is written or sent, or has failed to be. */
  flush(): Promise<void>;
}

export interface SpanStart {
  name: string;
  kind: SpanKind;
  attributes: Attributes;
  /** In milliseconds of the clock on the wall; now where absent. */
  startTime?: number;
}

/** What is used of OpenTelemetry's own spans. */
export interface OpenSpan {
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: SpanStatus): unknown;
  end(): void;
}
