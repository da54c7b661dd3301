import {
  type IntegrationInput,
  inputValuesSchema,
  isSecretInput,
  type ModelChange,
  type ModelProvider,
  type ModelProviderName,
  type ModelSettings,
  modelChangeSchema,
  modelProviders,
} from "@whence/protocol";
import { checkFields } from "../../../lib/field-problems.ts";

/** The fields of budgets in whole numbers, with their labels. */
export const budgetCounts = [
  ["tokens_per_investigation", "Tokens per investigation"],
  ["seconds_per_investigation", "Seconds per investigation"],
  ["tokens_per_day", "Tokens per day"],
] as const;

/** The fields of budgets in US dollars, with their labels. */
export const budgetUsd = [
  ["usd_per_investigation", "US dollars per investigation"],
  ["usd_per_day", "US dollars per day"],
] as const;

/** The fields of prices, with their labels. */
export const priceFields = [
  ["input_usd_per_million", "US dollars per million input tokens"],
  ["output_usd_per_million", "US dollars per million output tokens"],
] as const;

/** Returns an input as the form asks for it: a credential that is stored may be left empty. */
export function askedInput(
  input: IntegrationInput,
  current: Pick<ModelSettings, "credentials"> | null,
): IntegrationInput {
  const isStored = current?.credentials.includes(input.name) ?? false;
  return isStored ? { ...input, hint: "Stored. Leave it empty to keep it." } : input;
}

type Fields = Readonly<Record<string, string>>;

/**
 * Returns a model from the form's fields. A credential that is left empty stays as stored, with the same provider.
 * Throws `RefusedFields`.
 */
export function enteredModel(
  provider: ModelProviderName,
  fields: Fields,
  current: Pick<ModelSettings, "provider"> | null,
): ModelChange {
  const { inputs }: ModelProvider = modelProviders[provider];
  const isKept = current?.provider === provider;
  const entered = inputs.filter((input) => {
    const isEmpty = (fields[input.name] ?? "").trim() === "";
    return !(isEmpty && (input.isOptional || (isKept && isSecretInput(input))));
  });
  const values = Object.fromEntries(entered.map(({ name }) => [name, fields[name] ?? ""]));
  const isPriced = priceFields.some(([name]) => (fields[name] ?? "").trim() !== "");
  return checkFields(modelChangeSchema, {
    provider,
    name: fields.name ?? "",
    inputs: checkFields(inputValuesSchema(entered), values),
    prices: isPriced ? Object.fromEntries(priceFields.map(([name]) => [name, numberIn(fields[name])])) : null,
    budget: Object.fromEntries([
      ...budgetCounts.map(([name]) => [name, numberIn(fields[name])]),
      ...budgetUsd.map(([name]) => [name, numberIn(fields[name])]),
    ]),
  });
}

/** Returns a number; null for an empty field, and the text itself when it isn't a number, so that it is rejected. */
function numberIn(text = ""): number | string | null {
  const trimmed = text.trim();
  const value = Number(trimmed);
  if (trimmed === "") return null;
  return Number.isNaN(value) ? trimmed : value;
}
