import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type FleetParams, paramsSchema } from "../../src/fleet-sim/index.ts";

/** Parameters and what was measured for them. */
const MEASURED: Partial<Record<keyof FleetParams, string>> = {
  coordinator_message_us: "coordinator_message_busy",
  coordinator_run_us: "coordinator_run",
  redis_message_us: "redis_message_busy",
  redis_run_us: "redis_run",
  beat_redis_us: "beat_redis_busy",
  look_redis_us: "look_redis",
  look_coordinator_us: "look_coordinator",
  scan_redis_us: "scan_redis",
  resume_us: "resume_read",
  journal_bytes: "journal_record",
  message_bytes: "network_message",
  run_bytes: "network_run",
  beat_bytes: "beat_bytes",
  record_bytes: "registry_record",
  connections: "connections",
};

test("what a simulated fleet costs is what was measured", () => {
  const path = new URL("../../../../bench/scale/measured.json", import.meta.url);
  const { rows } = JSON.parse(readFileSync(path, "utf8")) as { rows: { name: string; value: number }[] };
  const measured = new Map(rows.map(({ name, value }) => [name, value]));
  const defaults = paramsSchema.parse({});
  for (const [param, name] of Object.entries(MEASURED))
    expect(defaults[param as keyof FleetParams], param).toBe(measured.get(name));
});
