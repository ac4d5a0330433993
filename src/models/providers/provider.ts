import type { LanguageModel } from "ai";
import { type Member, markMember } from "../../core/family.ts";
import type { ModelSpec } from "../model-spec.ts";

export type Environment = Record<string, string | undefined>;

/** Someone who serves models over HTTP. Its package loads when the first call is made. */
export interface Provider {
  /** As traces name it (gen_ai.provider.name) and as the price table does. */
  vendor: { trace: string; prices: string };
  /** Each is one way to be let in: the variables that it takes together. An empty way needs nothing. */
  ways: readonly (readonly string[])[];
  /** Variables that it reads besides, such as a base URL or a region. */
  optional: readonly string[];
  /** The environment with what follows from others of its variables, such as a profile's keys. */
  settle?(env: Environment): Environment;
  connect(spec: ModelSpec, connection: Connection): Promise<LanguageModel>;
}

export interface Connection {
  env: Environment;
  /** Instead of the provider's own address. */
  baseUrl: string | undefined;
}

/** A provider of the user's own, whose models are named `name:model`. */
export type OwnProvider = Provider & Member;

/** Declares a provider of models of your own: `export default defineModel({...})`. */
export function defineModel(provider: OwnProvider): OwnProvider {
  return markMember("model", provider);
}
