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
  properties?: Record<string, Property>;
  items?: Property;
  oneOf?: Property[];
  additionalProperties?: Property | boolean;
}

/** A target's parameters in words, from its schema; what is inside of one stands below it: `tiers[].cost`, `stop.coverage`. */
export function describeParams(target: Target): ParamText[] {
  const schema = z.toJSONSchema(target.params, { io: "input", unrepresentable: "any", reused: "inline" });
  return partsOf(schema as Property, "");
}

function partsOf(schema: Property, prefix: string): ParamText[] {
  const entries = Object.entries(schema.properties ?? {});
  // Parts that are all made alike are described once: service.*.dist.
  const insides = entries.map(([, property]) => insideOf(property, `${prefix}*`));
  const isAlike = prefix !== "" && entries.length > 1 && insides.every((one) => alike(one, insides[0]!));
  const rows = entries.flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    return [textOf(name, property), ...(isAlike ? [] : insideOf(property, name))];
  });
  return isAlike ? [...rows, ...insides[0]!] : rows;
}

function alike(some: readonly ParamText[], others: readonly ParamText[]): boolean {
  const shape = (all: readonly ParamText[]) => all.map(({ name, type }) => `${name} ${type}`).join("\n");
  return some.length > 0 && shape(some) === shape(others);
}

function textOf(name: string, property: Property): ParamText {
  const { default: fallback, description = "" } = property;
  return {
    ...{ name, type: typeText(property), description },
    fallback: fallback === undefined ? "" : JSON.stringify(fallback),
  };
}

function insideOf(property: Property, name: string): ParamText[] {
  const kinds = property.oneOf ?? property.anyOf ?? [property];
  const found = kinds.flatMap((kind) => [
    ...partsOf(kind, `${name}.`),
    ...(kind.items ? insideOf(kind.items, `${name}[]`) : []),
    ...(typeof kind.additionalProperties === "object"
      ? insideOf(kind.additionalProperties, `${name}.*`)
      : []),
  ]);
  // Kinds of one thing may have parts of the same name, such as the one that tells them apart.
  const byName = new Map<string, ParamText>();
  for (const part of found) {
    const known = byName.get(part.name);
    if (!known) byName.set(part.name, part);
    else if (!known.type.split(" | ").includes(part.type)) known.type += ` | ${part.type}`;
  }
  return [...byName.values()];
}

function typeText(property: Property): string {
  if (property.enum) return property.enum.join(" | ");
  const kinds = property.anyOf ?? property.oneOf;
  if (kinds) return [...new Set(kinds.map(typeText))].join(" | ");
  if (property.items) return `list of ${typeText(property.items)}`;
  if (property.const !== undefined) return JSON.stringify(property.const);
  const low = property.minimum ?? property.exclusiveMinimum;
  const high = property.maximum;
  const isBounded = (low !== undefined && low > -1e15) || (high !== undefined && high < 1e15);
  const range = isBounded
    ? ` ${low !== undefined && low > -1e15 ? low : ""}..${high !== undefined && high < 1e15 ? high : ""}`
    : "";
  return `${property.type ?? "any"}${range}`;
}
