import { attachment } from "../runtime/attachment.ts";
import type { RequestContext } from "./request-context.ts";

/** How an error was captured before. */
export interface KnownError {
  readonly eventId: string;
  /** The request that it was captured in. */
  readonly context: RequestContext | undefined;
  /** Whether the program itself did it, by `captureException`. */
  readonly byProgram: boolean;
}

/**
 * Which errors were captured: an error on its way up is met by several, and is one event.
 *
 * The same object thrown in another request is another error, since programs throw constants; not in the one within
 * which it was captured. What is no object can't be told from its equals: it is the same when it is met again in the
 * same request with nothing captured in between.
 */
export class KnownErrors {
  readonly #errors = attachment<KnownError>();
  readonly #lastValues = new WeakMap<RequestContext, { readonly value: unknown; readonly known: KnownError }>();

  add(error: unknown, known: KnownError): void {
    if (isObject(error)) this.#errors.to(error, known);
    if (known.context) this.#lastValues.set(known.context, { value: error, known });
  }

  /** How this error was captured before; undefined when it is new. */
  find(error: unknown, context: RequestContext | undefined): KnownError | undefined {
    if (!isObject(error)) return context && this.#findValue(error, context);
    const known = this.#errors.of(error);
    // Who has lost the request, or met the error outside of it, met the same error.
    const isElsewhere = known?.context !== undefined && context !== undefined && !isWithin(known.context, context);
    return isElsewhere ? undefined : known;
  }

  #findValue(value: unknown, context: RequestContext): KnownError | undefined {
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
