import type { MessagePart } from "@whence/vendors";

/** An answer before it becomes a message. */
export interface Answer {
  readonly headline: string;
  readonly parts: readonly MessagePart[];
}
