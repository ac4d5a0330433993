import { expect, test } from "vitest";
import { limitsOf } from "../../../src/fleet/limits/labels-of.ts";

const limits = ["gpu", "provider:openai", "provider:zai", "provider:anthropic"].map((label) => ({
  label,
  concurrent: 1,
}));
const labels = (params: Record<string, string>) => limitsOf(limits, params).map(({ label }) => label);

test("a run is under every label of its study, and under those of its models' providers", () => {
  expect(labels({})).toEqual(["gpu"]);
  expect(labels({ model: "openai:gpt-4o" })).toEqual(["gpu", "provider:openai"]);
  expect(labels({ model: "gpt-4o-mini" })).toEqual(["gpu", "provider:openai"]);
  expect(labels({ model: "scripted" })).toEqual(["gpu"]);
});

test("a preset at a compatible endpoint belongs to whose endpoint it is", () => {
  expect(labels({ model: "glm-4.6" })).toEqual(["gpu", "provider:zai"]);
});

test("all models of a run count, and those that only an agent's own program knows", () => {
  expect(labels({ model: "scripted", review_model: "openai:o3" })).toEqual(["gpu", "provider:openai"]);
  expect(labels({ model: "anthropic/claude-sonnet" })).toEqual(["gpu", "provider:anthropic"]);
  expect(labels({ model: "sonnet" })).toEqual(["gpu"]);
});
