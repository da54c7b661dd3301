import { z } from "zod";
import { timestampSchema } from "../text.ts";
import { personSchema } from "./settings.ts";

const nameLengthMax = 100;
const valueLengthMax = 1_000;

/** The input that identifies the installation at the sender, for a source added by installing an application. */
export const installationInput = "installation";

/** An input of an alert source, entered or generated when the source is added. */
export const alertSourceInputSchema = z.object({
  name: z.string(),
  label: z.string(),
  is_secret: z.boolean(),
  /** Whether the service generates it and shows it once, to be entered at the sender. Otherwise the sender shows it. */
  is_made: z.boolean(),
  /** Whether the sender shows it only once it has the source's address, as it does with secrets. */
  is_shown_later: z.boolean().optional(),
  /** Whether the source works without it. */
  is_optional: z.boolean().optional(),
  /** The placeholder of an empty field. */
  example: z.string().optional(),
});
export type AlertSourceInput = Readonly<z.infer<typeof alertSourceInputSchema>>;

/** A kind of sender that can be added as an alert source. */
export const alertSourceKindSchema = z.object({
  kind: z.string(),
  label: z.string(),
  inputs: z.array(alertSourceInputSchema).readonly(),
});
export type AlertSourceKind = Readonly<z.infer<typeof alertSourceKindSchema>>;

/** Returns the inputs that a person enters for a source of the kind, in order. */
export function enteredAlertSourceInputs({ inputs }: Pick<AlertSourceKind, "inputs">): readonly AlertSourceInput[] {
  return inputs.filter(({ is_made: isMade }) => !isMade);
}

/** A sender of webhooks as its organization sees it, without secrets. */
export const alertSourceSchema = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  /** The address that the sender posts to. */
  url: z.string(),
  /** How its sender is set up to post there, in short. Markdown. */
  setup: z.string(),
  /** Whether people can ask its bot in conversations. */
  has_conversations: z.boolean(),
  /** The inputs that aren't secret, and what the vendor reports about the bot. */
  inputs: z.record(z.string(), z.string()),
  /** Names of inputs that are still missing; until they are entered, every webhook is rejected. */
  missing: z.array(z.string()),
  created_at: timestampSchema,
  created_by: personSchema,
  /** When one of its webhooks was last accepted and read; null when none was. */
  received_at: timestampSchema.nullable(),
  /** The number of failures it announced. */
  alerts: z.int().min(0),
  /** The number of alerts that opened no incident because the source had reached its hourly limit. */
  withheld: z.int().min(0),
  /**
   * Whether its bot also answers where people outside of the organization can read: in public projects and shared
   * channels.
   */
  answers_publicly: z.boolean(),
  /** When one of its webhooks was last rejected or couldn't be read, and why. */
  failed: z.object({ at: timestampSchema, reason: z.string() }).nullable(),
});
export type AlertSource = z.infer<typeof alertSourceSchema>;

/** A newly added source. */
export const addedAlertSourceSchema = alertSourceSchema.extend({
  /** The generated secret, to be entered at the sender. Only this answer contains it. */
  secret: z.string().nullable(),
});
export type AddedAlertSource = z.infer<typeof addedAlertSourceSchema>;

/**
 * Values for a source, by the names of its kind's inputs. Some senders show their secret only once they have the
 * address.
 */
export const alertSourceInputsSchema = z.strictObject({
  inputs: z.record(z.string(), z.string().trim().min(1).max(valueLengthMax)).default({}),
});

/** Where the bot of a source answers. */
export const alertSourceAudienceSchema = z.strictObject({ answers_publicly: z.boolean() });

/** The sources of an organization, and the kinds that can be added. */
export const alertSourceListSchema = z.object({
  alert_sources: z.array(alertSourceSchema),
  kinds: z.array(alertSourceKindSchema),
});
export type AlertSourceList = z.infer<typeof alertSourceListSchema>;

/** The body that adds a source: its kind, a display name, and the inputs known so far. */
export const addAlertSourceSchema = alertSourceInputsSchema.extend({
  kind: z.string(),
  name: z.string().trim().min(1).max(nameLengthMax),
});
export type AddAlertSource = z.infer<typeof addAlertSourceSchema>;

/** A failure that a source announced. */
export const alertSchema = z.object({
  key: z.string(),
  title: z.string(),
  /** The alert's page at the sender. */
  url: z.string().nullable(),
  incident_id: z.string(),
  fired_at: timestampSchema,
  /** When the sender reported the end of the alert; null while it lasts. */
  resolved_at: timestampSchema.nullable(),
});
export type Alert = z.infer<typeof alertSchema>;

export const alertListSchema = z.object({ alerts: z.array(alertSchema) });
export type AlertList = z.infer<typeof alertListSchema>;

/** `PROCESSING` until the analysis ends. */
export const conversationStatuses = ["PROCESSING", "COMPLETED", "FAILED"] as const;

/** A conversation in which someone asked a source's bot: a thread or an issue. */
export const conversationSchema = z.object({
  thread: z.string(),
  /** Null until the conversation was read. */
  title: z.string().nullable(),
  /** The conversation's page. */
  url: z.string().nullable(),
  status: z.enum(conversationStatuses),
  /** Null until the conversation was read. */
  incident_id: z.string().nullable(),
  /** When someone last asked. */
  asked_at: timestampSchema,
  updated_at: timestampSchema,
  /** When someone canceled the request; null when no one did. */
  stopped_at: timestampSchema.nullable(),
  /**
   * Why the last message couldn't be posted, and whether it was abandoned or withheld from its audience; null when
   * there is no such message.
   */
  failed: z.object({ reason: z.string(), given_up: z.boolean(), refused: z.boolean() }).nullable(),
});
export type Conversation = z.infer<typeof conversationSchema>;

export const conversationListSchema = z.object({ conversations: z.array(conversationSchema) });
export type ConversationList = z.infer<typeof conversationListSchema>;
