import { limits, type SentryProject } from "@whence/protocol";
import { cutText } from "../mapping/bounded-data.ts";

/** What Sentry's clients call an environment that no one named. */
const unnamedEnv = "production";

/** Returns the environment that a client names, or that of its DSN when no one named one. */
export function envOf(environment: string, { env }: Pick<SentryProject, "env">): string {
  return environment === "" || environment === unnamedEnv ? env : cutText(environment, limits.serviceLengthMax);
}
