import { z } from "zod";
import { timestampSchema } from "../text.ts";
import { modelProviderNames } from "./model-providers.ts";
import { personSchema } from "./settings.ts";

const nameLengthMax = 200;
const valueLengthMax = 20_000;

/** How many days the prompts that were sent to a model are kept. */
export const promptsKeptDays = 30;

/**
 * The most seconds that an investigation waits for a model, and what it waits by default. An investigation that takes
 * longer than five minutes is taken for lost.
 */
export const modelSecondsMax = 240;

const usd = z.number().positive().max(1_000_000).nullable().default(null);

/** What a model may use: in one investigation, and in a day (UTC) of one organization. Null in US dollars for no limit. */
export const modelBudgetSchema = z.strictObject({
  tokens_per_investigation: z.int().min(1_000).max(100_000_000).default(300_000),
  usd_per_investigation: usd,
  seconds_per_investigation: z.int().min(10).max(modelSecondsMax).default(modelSecondsMax),
  tokens_per_day: z.int().min(1_000).max(100_000_000_000).default(3_000_000),
  usd_per_day: usd,
});
export type ModelBudgetSettings = Readonly<z.infer<typeof modelBudgetSchema>>;

const price = z.number().min(0).max(1_000_000);

/** What a provider charges, in US dollars for a million tokens. */
export const modelPricesSchema = z.strictObject({ input_usd_per_million: price, output_usd_per_million: price });
export type ModelPrices = Readonly<z.infer<typeof modelPricesSchema>>;

/** The body of `PUT /api/model`. A credential that is left out stays the same while the provider and its address do. */
export const modelChangeSchema = z
  .strictObject({
    provider: z.enum(modelProviderNames),
    name: z.string().trim().min(1).max(nameLengthMax).regex(/^\S+$/, "it must not contain spaces"),
    /** By the names of the provider's inputs. */
    inputs: z.record(z.string(), z.string().max(valueLengthMax)),
    /** Null: the cost is unknown. */
    prices: modelPricesSchema.nullable().default(null),
    budget: modelBudgetSchema.prefault({}),
  })
  .refine(({ prices, budget }) => prices !== null || !isInUsd(budget), {
    path: ["prices"],
    message: "a budget in US dollars needs the prices of input and output",
  });
export type ModelChange = z.infer<typeof modelChangeSchema>;

function isInUsd({ usd_per_day: day, usd_per_investigation: investigation }: ModelBudgetSettings): boolean {
  return day !== null || investigation !== null;
}

const count = z.int().min(0);

/** What models used. */
export const modelUsageSchema = z.object({
  investigations: count,
  input_tokens: count,
  output_tokens: count,
  /** Null while the prices of some of it are unknown. */
  cost_usd: z.number().min(0).nullable(),
  /** Of what has known prices, which is what counts against a budget in US dollars. */
  known_cost_usd: z.number().min(0),
});
export type ModelUsage = Readonly<z.infer<typeof modelUsageSchema>>;

/** A model as its organization sees it, without credentials. */
export const modelSettingsSchema = z.object({
  provider: z.enum(modelProviderNames),
  name: z.string(),
  /** The inputs that may be shown; none for the installation's model. */
  inputs: z.record(z.string(), z.string()),
  /** Names of the inputs that are stored encrypted. */
  credentials: z.array(z.string()),
  prices: modelPricesSchema.nullable(),
  budget: modelBudgetSchema,
  /** Null for the installation's model, as is who changed it. */
  changed_at: timestampSchema.nullable(),
  changed_by: personSchema.nullable(),
});
export type ModelSettings = z.infer<typeof modelSettingsSchema>;

/** An organization's decision not to use the model of the installation. */
export const modelRefusalSchema = z.object({ at: timestampSchema, by: personSchema });
export type ModelRefusal = z.infer<typeof modelRefusalSchema>;

/** The body of `PUT /api/model/installation`: whether the organization uses the model of the installation. */
export const installationModelChangeSchema = z.strictObject({ use: z.boolean() });
export type InstallationModelChange = z.infer<typeof installationModelChangeSchema>;

/** The answer of `GET /api/model`. */
export const modelStatusSchema = z.object({
  /** Whose model it is: an owner connected it, or the operator for the whole installation. */
  source: z.enum(["organization", "installation"]).nullable(),
  /** Null without a model. */
  model: modelSettingsSchema.nullable(),
  /** Whether the operator offers a model, and who decided not to use it; null while an organization without its own does. */
  installation: z.object({ offered: z.boolean(), refused: modelRefusalSchema.nullable() }),
  today: modelUsageSchema,
  last_30_days: modelUsageSchema,
  /** The daily budget that is used up, so that investigations skip the model until midnight UTC. */
  used_up: z.enum(["tokens", "usd"]).nullable(),
  prompts_kept_days: count,
});
export type ModelStatus = z.infer<typeof modelStatusSchema>;

/** The answer of `POST /api/model/check`. */
export const modelCheckSchema = z.object({ duration_ms: count, input_tokens: count, output_tokens: count });
export type ModelCheck = z.infer<typeof modelCheckSchema>;

/** What a model is asked for. */
export const modelPurposes = ["investigation", "question"] as const;
export type ModelPurpose = (typeof modelPurposes)[number];

/** What a model did for one investigation, or for one question about a report. */
export const modelRunSchema = z.object({
  id: z.string(),
  incident_id: z.string(),
  purpose: z.enum(modelPurposes),
  provider: z.string(),
  name: z.string(),
  /** How many times it was asked on its own. */
  runs: count,
  input_tokens: count,
  output_tokens: count,
  cost_usd: z.number().nullable(),
  started_at: timestampSchema,
  duration_ms: count,
  /** `answered`, `nothing_held` when nothing of it passed the checks, `stopped` with the process, or why it failed. */
  outcome: z.string(),
  /** How many values were replaced before sending, by their kind. */
  replaced: z.record(z.string(), count),
  /** Prompts that were sent and are too many or too long to keep. */
  prompts_omitted: count,
});
export type ModelRun = z.infer<typeof modelRunSchema>;

/** The answer of `GET /api/model/runs`: the newest first. */
export const modelRunListSchema = z.object({ runs: z.array(modelRunSchema) });

/** A prompt exactly as it was sent, after redaction. */
export const modelPromptSchema = z.object({ sent_at: timestampSchema, text: z.string(), is_cut: z.boolean() });
export type ModelPrompt = z.infer<typeof modelPromptSchema>;

/** The answer of `GET /api/model/runs/{id}/prompts`, in the order of sending. */
export const modelPromptListSchema = z.object({ prompts: z.array(modelPromptSchema) });
