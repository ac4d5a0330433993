import { UserError } from "../../core/errors.ts";

const ENV_VAR = /\$\{envvar:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** `${envvar:NAME}` becomes what the variable holds; without one, its name, as that tool has it. */
export function fillEnvVars(word: string): string {
  return word.replaceAll(ENV_VAR, (_, name: string) => process.env[name] ?? name);
}

/** A variable that is not set would reach the program as its own name. */
export function checkEnvVars(template: readonly string[]): void {
  for (const word of template) {
    for (const [, name] of word.matchAll(ENV_VAR)) {
      if (process.env[name!] !== undefined) continue;
      throw new UserError(`the command names \${envvar:${name}}, which is not set`, {
        remedy: `Set it: export ${name}=...`,
      });
    }
  }
}
