import { type AlertSourceInput, type AlertSourceKind, alertSourceKinds } from "@whence/protocol";
import { mintWebhookSecret, type SenderInputs } from "@whence/vendors";

/** Creates the inputs that are generated when a source of the kind is added. */
export function madeInputs(kind: AlertSourceKind): SenderInputs {
  const made = inputsOf(kind).filter(({ isMade }) => isMade);
  return Object.fromEntries(made.map(({ name }) => [name, mintWebhookSecret()]));
}

/** Returns the generated secret, which is shown once; null for a kind without one. */
export function madeSecret(kind: AlertSourceKind, values: SenderInputs): string | null {
  const made = inputsOf(kind).find(({ isMade, isSecret }) => isMade && isSecret);
  return (made && values[made.name]) ?? null;
}

/** Returns whether a source of the kind has everything it needs to work. */
export function isComplete(kind: AlertSourceKind, values: SenderInputs): boolean {
  return inputsOf(kind).every(({ name, isOptional }) => isOptional || Object.hasOwn(values, name));
}

/**
 * Separates secret values from others. What a vendor says about its bot isn't an input of the kind, and isn't secret.
 */
export function separated(
  kind: AlertSourceKind,
  values: SenderInputs,
): { readonly inputs: SenderInputs; readonly secrets: SenderInputs } {
  const secretNames = inputsOf(kind).flatMap(({ name, isSecret }) => (isSecret ? [name] : []));
  const isSecret = ([name]: [string, string]): boolean => secretNames.includes(name);
  const entries = Object.entries(values);
  return {
    inputs: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    secrets: Object.fromEntries(entries.filter(isSecret)),
  };
}

function inputsOf(kind: AlertSourceKind): readonly AlertSourceInput[] {
  return alertSourceKinds[kind].inputs;
}
