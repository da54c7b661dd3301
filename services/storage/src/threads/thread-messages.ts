/** The outcome of a call between threads: its value, or the message of its error. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

export type ToThread<Call, Reply> =
  | { readonly kind: "call"; readonly id: number; readonly call: Call }
  | { readonly kind: "reply"; readonly id: number; readonly outcome: Outcome<Reply> }
  | { readonly kind: "close" };

export type FromThread<Result, Question> =
  | { readonly kind: "started"; readonly outcome: Outcome<void> }
  | { readonly kind: "result"; readonly id: number; readonly outcome: Outcome<Result> }
  | { readonly kind: "question"; readonly id: number; readonly callId: number; readonly question: Question };

/** The data that a thread starts with. */
export interface ThreadData {
  /** As `nice` has it. */
  readonly priority: number;
  readonly data: unknown;
}

export async function outcomeOf<Value>(run: () => Value | Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** The callbacks of a promise that a message settles. */
export interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

export function settle<Value>(waiting: Waiting<Value> | undefined, outcome: Outcome<Value>): void {
  if (outcome.ok) waiting?.resolve(outcome.value);
  else waiting?.reject(new Error(outcome.message));
}
