import { installationInput } from "@whence/protocol";
import type { StoredAlertSource } from "@whence/storage";
import { type AlertSender, mintWebhookSecret, type SenderInputs } from "@whence/vendors";

type WithInputs = Pick<AlertSender, "inputs">;

/** Creates the inputs that are generated when a source of the sender is added. */
export function madeInputs(sender: WithInputs): SenderInputs {
  return Object.fromEntries(madeNames(sender).map((name) => [name, mintWebhookSecret()]));
}

/** Names of the inputs that are generated for a source of the sender. */
export function madeNames({ inputs }: WithInputs): readonly string[] {
  return inputs.flatMap(({ name, is_made: isMade }) => (isMade ? [name] : []));
}

/** Returns the generated secret, which is shown once; null for a sender without one. */
export function madeSecret({ inputs }: WithInputs, values: SenderInputs): string | null {
  const made = inputs.find(({ is_made: isMade, is_secret: isSecret }) => isMade && isSecret);
  return (made && values[made.name]) ?? null;
}

/** Returns whether a source of the sender has everything it needs to work. */
export function isComplete(sender: WithInputs, values: SenderInputs): boolean {
  return missingOf(sender, Object.keys(values)).length === 0;
}

/** Names of the inputs that a source still needs. An installed application needs none: it has the operator's secret. */
export function missingInputs(sender: WithInputs, { known, inputs }: StoredAlertSource): string[] {
  return installationInput in inputs ? [] : missingOf(sender, known);
}

/** Separates secret values from others. What a vendor says about its bot isn't an input, and isn't secret. */
export function separated(
  { inputs }: WithInputs,
  values: SenderInputs,
): { readonly inputs: SenderInputs; readonly secrets: SenderInputs } {
  const secretNames = inputs.flatMap(({ name, is_secret: isSecret }) => (isSecret ? [name] : []));
  const isSecret = ([name]: [string, string]): boolean => secretNames.includes(name);
  const entries = Object.entries(values);
  return {
    inputs: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    secrets: Object.fromEntries(entries.filter(isSecret)),
  };
}

function missingOf({ inputs }: WithInputs, known: readonly string[]): string[] {
  return inputs.flatMap(({ name, is_optional: isOptional }) => (isOptional || known.includes(name) ? [] : [name]));
}
