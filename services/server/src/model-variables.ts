import type { InstallationModel } from "@whence/analyzer";
import {
  inputValuesSchema,
  type ModelBudgetSettings,
  type ModelProvider,
  modelBudgetSchema,
  modelChangeSchema,
  modelProviderNames,
  modelProviders,
  modelSecondsMax,
} from "@whence/protocol";
import { z } from "zod";

const input = (what: string) => z.string().min(1).optional().describe(what);
const usd = (what: string) => z.coerce.number().min(0).optional().describe(`US dollars for ${what}`);
/** A budget; whether it is above 0 is checked with the other settings of the model. */
const budgetUsd = (what: string) => z.coerce.number().optional().describe(`US dollars for ${what}, above 0`);
const defaults = modelBudgetSchema.parse({});
const tokens = (fallback: number) =>
  z.coerce.number().int().min(1_000).default(fallback).describe("a whole number of tokens, at least 1000");

/** The variables of the installation's language model. */
export const modelVariables = {
  WHENCE_MODEL_PROVIDER: z.enum(modelProviderNames).optional().describe(modelProviderNames.join(", ")),
  WHENCE_MODEL_NAME: input("the model's name at its provider"),
  WHENCE_MODEL_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("the address of Ollama or an OpenAI-compatible server"),
  WHENCE_MODEL_API_KEY: input("a key of Anthropic, OpenAI, or an OpenAI-compatible server"),
  WHENCE_MODEL_ACCESS_KEY_ID: input("an access key id for Amazon Bedrock"),
  WHENCE_MODEL_SECRET_ACCESS_KEY: input("its secret access key"),
  WHENCE_MODEL_REGION: input("a region of Amazon Bedrock"),
  WHENCE_MODEL_PROJECT: input("a project of Google Vertex AI"),
  WHENCE_MODEL_LOCATION: input("its location"),
  WHENCE_MODEL_CLIENT_EMAIL: input("the email of a service account of that project"),
  WHENCE_MODEL_PRIVATE_KEY: input("its private key in PEM, line ends may be written \\n"),
  WHENCE_MODEL_INPUT_USD_PER_MILLION: usd("a million tokens of input"),
  WHENCE_MODEL_OUTPUT_USD_PER_MILLION: usd("a million tokens of output"),
  WHENCE_MODEL_TOKENS_PER_INVESTIGATION: tokens(defaults.tokens_per_investigation),
  WHENCE_MODEL_USD_PER_INVESTIGATION: budgetUsd("an investigation at most"),
  WHENCE_MODEL_SECONDS_PER_INVESTIGATION: z.coerce
    .number()
    .int()
    .min(10)
    .max(modelSecondsMax)
    .default(defaults.seconds_per_investigation)
    .describe(`seconds, from 10 to ${modelSecondsMax}`),
  WHENCE_MODEL_TOKENS_PER_DAY: tokens(defaults.tokens_per_day),
  WHENCE_MODEL_USD_PER_DAY: budgetUsd("a day and organization at most"),
};

const variablesSchema = z.object(modelVariables);
type ModelVariables = z.infer<typeof variablesSchema>;

/** Variables whose values never appear in a message. An address may have a password in it. */
export const secretModelVariables = [
  "WHENCE_MODEL_BASE_URL",
  "WHENCE_MODEL_API_KEY",
  "WHENCE_MODEL_SECRET_ACCESS_KEY",
  "WHENCE_MODEL_PRIVATE_KEY",
] as const satisfies readonly (keyof ModelVariables)[];

/** The variable of each input of providers, by the input's name. */
const variableOf = {
  base_url: "WHENCE_MODEL_BASE_URL",
  api_key: "WHENCE_MODEL_API_KEY",
  access_key_id: "WHENCE_MODEL_ACCESS_KEY_ID",
  secret_access_key: "WHENCE_MODEL_SECRET_ACCESS_KEY",
  region: "WHENCE_MODEL_REGION",
  project: "WHENCE_MODEL_PROJECT",
  location: "WHENCE_MODEL_LOCATION",
  client_email: "WHENCE_MODEL_CLIENT_EMAIL",
  private_key: "WHENCE_MODEL_PRIVATE_KEY",
} as const satisfies Record<string, keyof ModelVariables>;

type InputName = keyof typeof variableOf;

/** The variable of each budget, by the setting's name. */
const budgetVariableOf = {
  tokens_per_investigation: "WHENCE_MODEL_TOKENS_PER_INVESTIGATION",
  usd_per_investigation: "WHENCE_MODEL_USD_PER_INVESTIGATION",
  seconds_per_investigation: "WHENCE_MODEL_SECONDS_PER_INVESTIGATION",
  tokens_per_day: "WHENCE_MODEL_TOKENS_PER_DAY",
  usd_per_day: "WHENCE_MODEL_USD_PER_DAY",
} as const satisfies Record<keyof ModelBudgetSettings, keyof ModelVariables>;

/** The variable that keeps the installation's model from being configured. */
export interface WrongModelVariable {
  readonly wrong: keyof ModelVariables;
}

/** Returns the installation's model; null without one. */
export function installationModel(variables: ModelVariables): InstallationModel | WrongModelVariable | null {
  const { WHENCE_MODEL_PROVIDER: provider, WHENCE_MODEL_NAME: name } = variables;
  if (provider === undefined) return name === undefined ? null : { wrong: "WHENCE_MODEL_PROVIDER" };
  if (name === undefined) return { wrong: "WHENCE_MODEL_NAME" };
  const { inputs }: ModelProvider = modelProviders[provider];
  const values = Object.fromEntries(
    inputs.flatMap((one) => {
      const value = isInputName(one.name) ? variables[variableOf[one.name]] : undefined;
      return value === undefined ? [] : [[one.name, value]];
    }),
  );
  const parsed = inputValuesSchema(inputs).safeParse(values);
  if (!parsed.success) return { wrong: wrongInput(parsed.error) };
  const missing = missingPrice(variables);
  if (missing !== null) return { wrong: missing };
  const change = modelChangeSchema.safeParse({
    provider,
    name,
    inputs: parsed.data,
    prices: pricesOf(variables),
    budget: {
      tokens_per_investigation: variables.WHENCE_MODEL_TOKENS_PER_INVESTIGATION,
      usd_per_investigation: variables.WHENCE_MODEL_USD_PER_INVESTIGATION ?? null,
      seconds_per_investigation: variables.WHENCE_MODEL_SECONDS_PER_INVESTIGATION,
      tokens_per_day: variables.WHENCE_MODEL_TOKENS_PER_DAY,
      usd_per_day: variables.WHENCE_MODEL_USD_PER_DAY ?? null,
    },
  });
  return change.success ? change.data : { wrong: wrongSetting(change.error) };
}

function wrongInput({ issues }: z.ZodError): keyof ModelVariables {
  const name = String(issues[0]?.path[0]);
  return isInputName(name) ? variableOf[name] : "WHENCE_MODEL_PROVIDER";
}

function wrongSetting({ issues }: z.ZodError): keyof ModelVariables {
  const [name, part = ""] = (issues[0]?.path ?? []).map(String);
  if (name === "budget" && isBudgetName(part)) return budgetVariableOf[part];
  if (name !== "prices") return "WHENCE_MODEL_NAME";
  return part.startsWith("output") ? "WHENCE_MODEL_OUTPUT_USD_PER_MILLION" : "WHENCE_MODEL_INPUT_USD_PER_MILLION";
}

function isBudgetName(name: string): name is keyof typeof budgetVariableOf {
  return Object.hasOwn(budgetVariableOf, name);
}

/** The price that is missing beside the other one. */
function missingPrice(variables: ModelVariables): keyof ModelVariables | null {
  const prices = ["WHENCE_MODEL_INPUT_USD_PER_MILLION", "WHENCE_MODEL_OUTPUT_USD_PER_MILLION"] as const;
  const missing = prices.filter((name) => variables[name] === undefined);
  return missing.length === 1 ? (missing[0] ?? null) : null;
}

function isInputName(name: string): name is InputName {
  return Object.hasOwn(variableOf, name);
}

/** Both prices, or none. */
function pricesOf(variables: ModelVariables) {
  const { WHENCE_MODEL_INPUT_USD_PER_MILLION: input_usd_per_million } = variables;
  const { WHENCE_MODEL_OUTPUT_USD_PER_MILLION: output_usd_per_million } = variables;
  const isKnown = input_usd_per_million !== undefined && output_usd_per_million !== undefined;
  return isKnown ? { input_usd_per_million, output_usd_per_million } : null;
}
