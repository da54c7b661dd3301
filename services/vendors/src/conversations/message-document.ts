import type { MessageAction } from "../alert-senders/announcement.ts";

/** The purpose of a message, which some vendors display differently. */
export type MessagePurpose = "acknowledgment" | "answer" | "failure";

/** A message without vendor-specific markup. All texts are plain, and each vendor escapes them. */
export interface MessageDocument {
  readonly purpose: MessagePurpose;
  /** The first sentence, which is read on a phone and shown in notifications. */
  readonly headline: string;
  readonly parts: readonly MessagePart[];
  /** Where the whole report is. */
  readonly link: { readonly text: string; readonly url: string } | null;
  /** The buttons below it, by what they do, where the vendor has buttons. */
  readonly buttons?: { readonly incidentId: string; readonly texts: readonly (readonly [MessageAction, string])[] };
}

export type MessagePart =
  | { readonly kind: "paragraph"; readonly label: string | null; readonly text: string }
  /** Steps in order, such as the causal chain from origin to symptom. */
  | { readonly kind: "steps"; readonly label: string; readonly steps: readonly string[] }
  /** What was observed, verbatim, and its source. */
  | { readonly kind: "quote"; readonly text: string; readonly source: string; readonly url: string | null }
  /** Short facts for a small line. */
  | { readonly kind: "facts"; readonly facts: readonly string[] };
