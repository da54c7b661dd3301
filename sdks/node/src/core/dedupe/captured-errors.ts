import { attachment } from "../../runtime/attachment.ts";
import type { RequestContext } from "../request-context.ts";

/** How an error was captured before. */
export interface CapturedError {
  readonly eventId: string;
  /** The request that it was captured in. */
  readonly context: RequestContext | undefined;
  /** Whether the program itself did it, by `captureException`. */
  readonly byProgram: boolean;
}

/**
 * Dedupes captured errors: an error that several handlers capture on its way up is one event.
 *
 * The same object in an unrelated request is another error, since programs throw constants. A primitive has no identity:
 * it is the same error when it is captured again in the same request with nothing captured in between.
 */
export class CapturedErrors {
  readonly #errors = attachment<CapturedError>();
  readonly #lastValues = new WeakMap<RequestContext, { readonly value: unknown; readonly known: CapturedError }>();

  add(error: unknown, known: CapturedError): void {
    if (isObject(error)) this.#errors.to(error, known);
    if (known.context) this.#lastValues.set(known.context, { value: error, known });
  }

  /** How this error was captured before; undefined when it is new. */
  find(error: unknown, context: RequestContext | undefined): CapturedError | undefined {
    if (!isObject(error)) return context && this.#findValue(error, context);
    const known = this.#errors.of(error);
    // Outside of any request, or in one around that of the capture, it is the same error.
    const isElsewhere = known?.context !== undefined && context !== undefined && !isWithin(known.context, context);
    return isElsewhere ? undefined : known;
  }

  #findValue(value: unknown, context: RequestContext): CapturedError | undefined {
    const last = this.#lastValues.get(context);
    return last && Object.is(last.value, value) ? last.known : undefined;
  }
}

function isWithin(context: RequestContext, outer: RequestContext): boolean {
  for (let at: RequestContext | undefined = context; at; at = at.within?.deref()) if (at === outer) return true;
  return false;
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
