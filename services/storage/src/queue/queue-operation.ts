import type { DeadLetter, NewMessage, QueueDepth } from "./queue.ts";

/** One delivery's claim on a message: void once the message was handed out again, since that counts an attempt. */
export interface Receipt {
  readonly seq: number;
  readonly attempt: number;
}

/** A call to the thread that owns the queue's file. Times are milliseconds since the epoch, by the queue's clock. */
export type QueueOperation =
  | {
      readonly kind: "publish";
      readonly topic: string;
      readonly messages: readonly NewMessage[];
      readonly now: number;
      readonly rememberUntil: number;
      readonly takenWhenFull: boolean;
    }
  | {
      readonly kind: "receive";
      readonly topic: string;
      readonly max: number;
      readonly maxAttempts: number;
      readonly now: number;
      readonly holdUntil: number;
    }
  | { readonly kind: "ack"; readonly receipt: Receipt }
  | {
      readonly kind: "retry";
      readonly receipt: Receipt;
      readonly reason: string;
      readonly now: number;
      readonly due: number;
      readonly maxAttempts: number;
    }
  | { readonly kind: "bury"; readonly receipt: Receipt; readonly reason: string; readonly now: number }
  | { readonly kind: "extend"; readonly receipt: Receipt; readonly holdUntil: number }
  | {
      readonly kind: "dead-letters";
      readonly topic: string;
      readonly max: number;
      readonly maxAttempts: number;
      readonly now: number;
    }
  | { readonly kind: "redrive"; readonly topic: string; readonly letters: readonly string[]; readonly now: number }
  | { readonly kind: "discard"; readonly topic: string; readonly letters: readonly string[] }
  | { readonly kind: "depth"; readonly topic: string; readonly maxAttempts: number; readonly now: number }
  | { readonly kind: "check" };

export interface Received {
  readonly seq: number;
  readonly id: string;
  readonly body: string;
  readonly attempt: number;
}

/** The result of an operation; those that only change something return `done`. */
export type QueueOutcome =
  | { readonly kind: "done" }
  | {
      readonly kind: "received";
      readonly messages: readonly Received[];
      /** When the next held or delayed message of the topic becomes due; null when there is none. */
      readonly nextDue: number | null;
    }
  | { readonly kind: "dead-letters"; readonly letters: readonly DeadLetter[] }
  | { readonly kind: "depth"; readonly depth: QueueDepth }
  | { readonly kind: "counted"; readonly count: number }
  /** This operation changed nothing; others of the same group may have succeeded. */
  | { readonly kind: "failed"; readonly message: string };
