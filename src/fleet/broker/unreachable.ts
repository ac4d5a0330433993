import { errorText, UserError } from "../../core/errors.ts";

export function unreachable(label: string, error: unknown): UserError {
  return new UserError(`the queue at ${label} can't be reached (${errorText(error)})`, {
    remedy: "Check that it runs, the address, user and password, and the network.",
  });
}
