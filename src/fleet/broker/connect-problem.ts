import { errorCode, errorText, UserError } from "../../core/errors.ts";
import { isAway } from "./persist.ts";

/** Redis says it in words, Postgres in a code. */
const LOGIN = /^(WRONGPASS|NOAUTH|NOPERM|28\w{3}$)/;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;

/** Why a queue can't be used from here, with what to do about it. */
export function connectProblem(label: string, error: unknown): UserError {
  const text = errorText(error);
  const code = errorCode(error) ?? "";
  if (LOGIN.test(code) || LOGIN.test(text))
    return new UserError(`the queue at ${label} refuses the user or the password (${text})`, {
      remedy:
        "Write them into the address: redis://user:password@host:6379; ASSAY_QUEUE keeps it out of sight.",
    });
  if (CERTIFICATE.test(code))
    return new UserError(`the certificate of the queue at ${label} is not trusted here (${text})`, {
      remedy: "NODE_EXTRA_CA_CERTS=/path/to/ca.pem names the authority that signed it.",
    });
  if (isAway(error) || !(error instanceof Error))
    return new UserError(`the queue at ${label} can't be reached (${text})`, {
      remedy: "Check that it runs, the address and the network.",
    });
  return new UserError(`the queue at ${label} can't be used (${text})`, {
    remedy: label.startsWith("postgres")
      ? "The user needs the right to create the schema bullmq, or to use it."
      : "Check the address: rediss:// is for a port with TLS, redis:// for one without.",
  });
}
