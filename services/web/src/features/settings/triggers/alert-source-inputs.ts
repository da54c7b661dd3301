import { type AlertSourceInput, type AlertSourceKind, enteredAlertSourceInputs } from "@whence/protocol";
import { z } from "zod";
import { checkFields } from "../../../lib/field-problems.ts";

/** Returns the kind of a name; one without inputs for a source whose sender was removed from the service. */
export function kindNamed(kinds: readonly AlertSourceKind[], name: string): AlertSourceKind {
  return kinds.find(({ kind }) => kind === name) ?? { kind: name, label: name, inputs: [] };
}

/** Returns the inputs to enter when a source is added. */
export function inputsToAdd(kind: AlertSourceKind): readonly AlertSourceInput[] {
  return enteredAlertSourceInputs(kind).filter((input) => !isSetLater(input));
}

/** Returns the inputs that the sender shows only once it has the source's URL. */
export function inputsToSet(kind: AlertSourceKind): readonly AlertSourceInput[] {
  return enteredAlertSourceInputs(kind).filter(isSetLater);
}

function isSetLater({ is_secret: isSecret, is_shown_later: isShownLater = false }: AlertSourceInput): boolean {
  return isSecret || isShownLater;
}

/** Returns the sender's name for the generated secret; null for a kind without one. */
export function madeSecretLabel({ inputs }: AlertSourceKind): string | null {
  return inputs.find(({ is_made: isMade }) => isMade)?.label ?? null;
}

/** Returns the form's values for these inputs. Throws {@link RefusedFields} when a required one is empty. */
export function checkInputs(
  inputs: readonly AlertSourceInput[],
  fields: Readonly<Record<string, string>>,
): Record<string, string> {
  const entered = inputs.filter(({ name, is_optional: isOptional }) => !isOptional || fields[name]?.trim());
  const shape = Object.fromEntries(entered.map(({ name }) => [name, z.string().trim().min(1)]));
  return checkFields(z.object(shape), fields);
}
