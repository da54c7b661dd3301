import type { Command } from "../command-line.ts";
import type { Config } from "../config.ts";
import { operatorOf } from "./operator.ts";

/** Makes the running service take the password alone from a person who has lost their authenticator and backup codes. */
export async function resetTwoFactor(
  config: Config,
  { url, email }: Extract<Command, { name: "reset-two-factor" }>,
): Promise<readonly string[]> {
  const operator = await operatorOf(config, url);
  await operator.ask("POST", "/second-factor/reset", { email });
  return [`${email} can sign in with the password alone now, and set up two-factor sign-in again`];
}
