import type { EventFacts } from "../findings/event-facts.ts";
import type { ParsedError } from "../findings/parsed-error.ts";
import type { OutgoingCall } from "./inputs/call.ts";
import { callsShortlyBefore, recentCalls, spellsUrl } from "./related-calls.ts";
import type { SentRequest } from "./sent-request.ts";
import type { AnyCodeSignal } from "./signal.ts";

/** What a JSON parser says about an HTML page in place of JSON. */
const pageInstead = /Unexpected token '?<|<!doctype|<html/i;
const failedStatus = 400;

/**
 * Returns whether a step uses an HTTP response without checking its status, although the call or the error shows that
 * it failed.
 */
export function isUncheckedAnswer(
  { request }: Pick<AnyCodeSignal, "request">,
  { error, event }: { readonly error: ParsedError; readonly event: EventFacts | null },
): boolean {
  if (!request?.takesAnyStatus) return false;
  const calls = callsOf(request, event);
  if (calls.length === 0 && isRefusedInBackground(request, event)) return true;
  if (calls.length > 0) return calls.every(({ data }) => (data.status_code ?? 0) >= failedStatus);
  return error.chain.some((index) => pageInstead.test(error.exceptions[index]?.message ?? ""));
}

/** Clients that raise an error in place of a response with status 400 or above. */
const raising: ReadonlySet<string> = new Set(["urlopen"]);

/** Returns whether a step would use a response, but the last call failed, and its client raised an error instead. */
export function isRaisedAnswer(signal: AnyCodeSignal, event: EventFacts | null): boolean {
  if (signal.kind !== "value-step" || signal.args.how !== "outside-answer" || !raising.has(signal.args.name))
    return false;
  const [last] = recentCalls(event);
  return last !== undefined && last.trouble !== null;
}

/**
 * Returns whether the last such call that the process made beside the failing request, as by a timer, failed: what it
 * kept from the response is what the request found.
 */
function isRefusedInBackground(request: SentRequest, event: EventFacts | null): boolean {
  const others = callsShortlyBefore(event).filter(
    ({ isRelated, data }) => !isRelated && data.status_code !== undefined,
  );
  const fitting = request.urlParts.length > 0 ? others.filter(({ data }) => spellsUrl(request, data.url)) : others;
  const [last] = fitting;
  const isOnly = new Set(fitting.map(({ data }) => data.url.replace(/[?#].*$/s, ""))).size === 1;
  return last !== undefined && isOnly && (last.data.status_code ?? 0) >= failedStatus;
}

/** Returns whether the calls that a step may have got its value from all succeeded. */
export function isWellAnswered({ request }: Pick<AnyCodeSignal, "request">, event: EventFacts | null): boolean {
  const calls = request?.isHttp ? callsOf(request, event) : [];
  return calls.length > 0 && calls.every(isAnswered);
}

/** Returns whether a call was answered as wanted. */
export function isAnswered({ trouble, data: { status_code: status } }: OutgoingCall): boolean {
  return trouble === null && status !== undefined && status >= 200 && status < 300;
}

/** Returns the recent calls whose URL the request contains; all of them when it contains none. */
function callsOf(request: SentRequest, event: EventFacts | null): OutgoingCall[] {
  const calls = recentCalls(event);
  return request.urlParts.length === 0 ? calls : calls.filter(({ data }) => spellsUrl(request, data.url));
}
