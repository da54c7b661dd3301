import { type AlertSourceInput, type AlertSourceKind, alertSourceKinds } from "@whence/protocol";
import { mintWebhookSecret, type SenderInputs } from "@whence/vendors";

/** What is made for a source of the kind when it is added. */
export function madeInputs(kind: AlertSourceKind): SenderInputs {
  const made = inputsOf(kind).filter(({ isMade }) => isMade);
  return Object.fromEntries(made.map(({ name }) => [name, mintWebhookSecret()]));
}

/** The secret that was made, which is shown once; null for a kind without one. */
export function madeSecret(kind: AlertSourceKind, values: SenderInputs): string | null {
  const made = inputsOf(kind).find(({ isMade, isSecret }) => isMade && isSecret);
  return (made && values[made.name]) ?? null;
}

/** Whether there is all that a source of the kind can't work without. */
export function isComplete(kind: AlertSourceKind, values: SenderInputs): boolean {
  return inputsOf(kind).every(({ name, isOptional }) => isOptional || Object.hasOwn(values, name));
}

/** Which values are secret, and which are not. What a vendor says about its bot is none of the kind's inputs, and not secret. */
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
