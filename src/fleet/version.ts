import packageJson from "../../package.json" with { type: "json" };

/** Raised when messages change so that an older worker would misread them. */
export const PROTOCOL = 2;

/** Coordinator and workers must be of the same version: an older one would run a target as it was. */
export const PROGRAM_VERSION: string = packageJson.version;
