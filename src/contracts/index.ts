/** What each family asks of its members, as checks that authors run: `import { contractOf } from "assay/contracts"`. */

import { fileURLToPath } from "node:url";
import { UserError } from "../core/errors.ts";
import { FAMILIES, type FamilyName, familyOf, type Member } from "../core/family.ts";
import { type Declared, loadPlugins } from "../targets/load-plugins.ts";
import type { Check, ContractOptions } from "./contract.ts";

export type { Check, ContractOptions } from "./contract.ts";

type Contract = (member: never, options: ContractOptions) => Check[];

/** Each loaded when it is used. */
const CONTRACTS: Record<FamilyName, () => Promise<Contract>> = {
  searcher: async () => (await import("./search-contracts.ts")).searcherContract,
  stopper: async () => (await import("./search-contracts.ts")).stopperContract,
  reporter: async () => (await import("./telling-contracts.ts")).reporterContract,
  sink: async () => (await import("./telling-contracts.ts")).sinkContract,
  importer: async () => (await import("./telling-contracts.ts")).importerContract,
  executor: async () => (await import("./running-contracts.ts")).executorContract,
  instrument: async () => (await import("./running-contracts.ts")).instrumentContract,
  model: async () => (await import("./running-contracts.ts")).modelContract,
  sandbox: async () => (await import("./sandbox-contract.ts")).sandboxContract,
};

/**
 * The checks of a plugin: of a file, whatever it declares, or of one member. Hand them to your test runner:
 * `for (const { title, check } of await contractOf(new URL("./mine.ts", import.meta.url))) test(title, check)`.
 */
export async function contractOf(
  plugin: string | URL | Member,
  options: ContractOptions = {},
): Promise<Check[]> {
  const declared = await declaredBy(plugin);
  const checks = declared.map(async ({ family, member }) => {
    const contract = await CONTRACTS[family]();
    return contract(member as never, options).map(({ title, check }) => ({
      title: `the ${family} ${member.name} ${title}`,
      check,
    }));
  });
  return (await Promise.all(checks)).flat();
}

async function declaredBy(plugin: string | URL | Member): Promise<Declared[]> {
  if (plugin instanceof URL) return loadPlugins([fileURLToPath(plugin)]);
  if (typeof plugin === "string") return loadPlugins([plugin]);
  const family = familyOf(plugin);
  if (family === undefined)
    throw new UserError("this belongs to no family", {
      expected: `what one of these declares: ${Object.keys(FAMILIES).join(", ")}`,
    });
  return [{ family, member: plugin }];
}
