const TEMPLATE = /\$\{(\w+)(?::-([^}]*))?\}/g;

/**
 * Environment variables with `${NAME}` and `${NAME:-default}` filled in from ours. One that needs what is not set here
 * is left out, which is told.
 */
export function fillVariables(variables: Record<string, string>, warnings: string[]): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const [name, template] of Object.entries(variables)) {
    const missing: string[] = [];
    const text = template.replaceAll(TEMPLATE, (_, wanted: string, otherwise: string | undefined) => {
      const value = process.env[wanted] ?? otherwise;
      if (value === undefined) missing.push(wanted);
      return value ?? "";
    });
    if (missing.length === 0) filled[name] = text;
    else
      warnings.push(`the task's variable ${name} is left out, since ${missing.join(", ")} is not set here`);
  }
  return filled;
}
