import * as z from "zod";
import type { Target } from "../targets/target.ts";

interface ParamText {
  name: string;
  type: string;
  fallback: string;
  description: string;
}

interface Property {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Property[];
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

/** A target's parameters in words, from its schema. */
export function describeParams(target: Target): ParamText[] {
  const schema = z.toJSONSchema(target.params, { io: "input", unrepresentable: "any" }) as {
    properties?: Record<string, Property>;
  };
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    type: typeText(property),
    fallback: property.default === undefined ? "" : shorten(JSON.stringify(property.default)),
    description: property.description ?? "",
  }));
}

function typeText(property: Property): string {
  if (property.enum) return property.enum.join(" | ");
  if (property.anyOf) return property.anyOf.map(typeText).join(" | ");
  if (property.const !== undefined) return JSON.stringify(property.const);
  const low = property.minimum ?? property.exclusiveMinimum;
  const high = property.maximum;
  const isBounded = (low !== undefined && low > -1e15) || (high !== undefined && high < 1e15);
  const range = isBounded
    ? ` ${low !== undefined && low > -1e15 ? low : ""}..${high !== undefined && high < 1e15 ? high : ""}`
    : "";
  return `${property.type ?? "any"}${range}`;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}
