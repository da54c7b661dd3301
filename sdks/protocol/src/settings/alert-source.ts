import { z } from "zod";
import { timestampSchema } from "../text.ts";
import { type AlertSourceInput, type AlertSourceKind, alertSourceKinds } from "./alert-source-kinds.ts";
import { personSchema } from "./settings.ts";

const nameLengthMax = 100;
const valueLengthMax = 1_000;

export const alertSourceKindNames: readonly AlertSourceKind[] = Object.keys(alertSourceKinds).filter(isKind);

export const alertSourceKindSchema = z.enum(alertSourceKindNames);

/** What is entered for a source of the kind, in its order. */
export function enteredAlertSourceInputs(kind: AlertSourceKind): readonly AlertSourceInput[] {
  const inputs: readonly AlertSourceInput[] = alertSourceKinds[kind].inputs;
  return inputs.filter(({ isMade }) => !isMade);
}

/** A sender of webhooks as its organization sees it: never a secret. */
export const alertSourceSchema = z.object({
  id: z.string(),
  kind: alertSourceKindSchema,
  name: z.string(),
  /** Where the sender posts. */
  url: z.string(),
  /** Whether people can ask its bot in conversations. */
  has_conversations: z.boolean(),
  /** What is no secret of what was entered, and what the vendor says about the bot. */
  inputs: z.record(z.string(), z.string()),
  /** Names of what is still to be entered: until then every webhook of it is refused. */
  missing: z.array(z.string()),
  created_at: timestampSchema,
  created_by: personSchema,
  /** When a webhook of it was last accepted and read; null when none was yet. */
  received_at: timestampSchema.nullable(),
  /** How many failures it announced. */
  alerts: z.int().min(0),
  /** How many alerts opened no incident, because the source had opened as many within an hour as it may. */
  withheld: z.int().min(0),
  /** Whether its bot also answers where people from outside of the organization read: in public projects, in shared channels. */
  answers_publicly: z.boolean(),
  /** When a webhook of it was last refused or couldn't be read, and why. */
  failed: z.object({ at: timestampSchema, reason: z.string() }).nullable(),
});
export type AlertSource = z.infer<typeof alertSourceSchema>;

/** A source just added. */
export const addedAlertSourceSchema = alertSourceSchema.extend({
  /** The secret that was made for it, to be entered at the sender: this answer is the only one that has it. */
  secret: z.string().nullable(),
});
export type AddedAlertSource = z.infer<typeof addedAlertSourceSchema>;

/** What a person enters for a source, by the names of its kind's inputs. Some senders show their secret once they have the address. */
export const alertSourceInputsSchema = z.strictObject({
  inputs: z.record(z.string(), z.string().trim().min(1).max(valueLengthMax)).default({}),
});

/** Where the bot of a source answers. */
export const alertSourceAudienceSchema = z.strictObject({ answers_publicly: z.boolean() });

export const alertSourceListSchema = z.object({ alert_sources: z.array(alertSourceSchema) });
export type AlertSourceList = z.infer<typeof alertSourceListSchema>;

/** What adding a source takes: its kind, a name for people, and what is known of its inputs by now. */
export const addAlertSourceSchema = alertSourceInputsSchema.extend({
  kind: alertSourceKindSchema,
  name: z.string().trim().min(1).max(nameLengthMax),
});
export type AddAlertSource = z.infer<typeof addAlertSourceSchema>;

/** A failure that a source announced. */
export const alertSchema = z.object({
  key: z.string(),
  title: z.string(),
  /** Where people find it at the sender. */
  url: z.string().nullable(),
  incident_id: z.string(),
  fired_at: timestampSchema,
  /** When the sender said that it is over; null while it isn't. */
  resolved_at: timestampSchema.nullable(),
});
export type Alert = z.infer<typeof alertSchema>;

export const alertListSchema = z.object({ alerts: z.array(alertSchema) });
export type AlertList = z.infer<typeof alertListSchema>;

/** `PROCESSING` until the analysis ends. */
export const conversationStatuses = ["PROCESSING", "COMPLETED", "FAILED"] as const;

/** A conversation in which someone asked the bot of a source: a thread, an issue. */
export const conversationSchema = z.object({
  thread: z.string(),
  /** Null until the conversation was read. */
  title: z.string().nullable(),
  /** Where people find it. */
  url: z.string().nullable(),
  status: z.enum(conversationStatuses),
  /** Null until the conversation was read. */
  incident_id: z.string().nullable(),
  /** When someone last asked. */
  asked_at: timestampSchema,
  updated_at: timestampSchema,
  /** When someone called the request off; null when no one did. */
  stopped_at: timestampSchema.nullable(),
  /**
   * Why the last message couldn't be posted, and whether it was given up, or refused to who would have read it; null when
   * there is no such message.
   */
  failed: z.object({ reason: z.string(), given_up: z.boolean(), refused: z.boolean() }).nullable(),
});
export type Conversation = z.infer<typeof conversationSchema>;

export const conversationListSchema = z.object({ conversations: z.array(conversationSchema) });
export type ConversationList = z.infer<typeof conversationListSchema>;

function isKind(name: string): name is AlertSourceKind {
  return Object.hasOwn(alertSourceKinds, name);
}
