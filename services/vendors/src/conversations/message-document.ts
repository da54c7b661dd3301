/** What a message is for: some vendors show each in its own way. */
export type MessagePurpose = "acknowledgment" | "answer" | "failure";

/** A message without the markup of a vendor. All texts are plain: each vendor escapes them. */
export interface MessageDocument {
  readonly purpose: MessagePurpose;
  /** One sentence, first: it is read on a phone, and shown in notifications. */
  readonly headline: string;
  readonly parts: readonly MessagePart[];
  /** Where the whole report is read. */
  readonly link: { readonly text: string; readonly url: string } | null;
}

export type MessagePart =
  | { readonly kind: "paragraph"; readonly label: string | null; readonly text: string }
  /** Steps in their order, as the causal chain from origin to symptom. */
  | { readonly kind: "steps"; readonly label: string; readonly steps: readonly string[] }
  /** What was observed, word for word, and where it comes from. */
  | { readonly kind: "quote"; readonly text: string; readonly source: string; readonly url: string | null }
  /** Short facts for a small line. */
  | { readonly kind: "facts"; readonly facts: readonly string[] };
