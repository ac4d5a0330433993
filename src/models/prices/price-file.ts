import { parse } from "yaml";
import * as z from "zod";
import { errorText, UserError } from "../../core/errors.ts";
import { readText } from "../../host/files.ts";
import type { PriceTable } from "./price.ts";

const usdPerMillion = z.number().nonnegative();
const fileSchema = z.record(
  z.string(),
  z
    .strictObject({ input: usdPerMillion, cached: usdPerMillion.optional(), output: usdPerMillion })
    .transform(({ input, cached = input, output }) => ({ input, cached, output })),
);

/** A user's prices (YAML or JSON): `"openai:my-model": {input: 0.5, cached: 0.1, output: 2}`, USD per million tokens. */
export async function readPriceFile(path: string): Promise<PriceTable> {
  let content: unknown;
  try {
    content = parse(readText(path));
  } catch (error) {
    throw new UserError(`the price file can't be read (${errorText(error)})`, { place: { file: path } });
  }
  const checked = fileSchema.safeParse(content ?? {});
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0]!;
  throw new UserError(issue.message, {
    place: { file: path, path: issue.path.join(".") },
    expected: "{input, cached (if cheaper), output} in USD per million tokens",
    remedy: 'Write "provider:model": {input: 0.5, cached: 0.1, output: 2}.',
  });
}
