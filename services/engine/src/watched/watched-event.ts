import { type Hit, type OrderedPlace, type TelemetryEvent, watchLimits } from "@whence/protocol";
import type { ParsedInput } from "../findings/findings.ts";
import type { ParsedError } from "../findings/parsed-error.ts";
import { parseEvent } from "../parse/parse-event.ts";
import { throwingSignal } from "../signals/throwing-signal.ts";
import type { Traced } from "../trace/traced.ts";
import { CodeAt } from "./code-at.ts";
import { failureMessagesOf, type WatchedFailure } from "./watched-failure.ts";

/** A later event of a failure, and the places that its process was asked to watch. */
export interface WatchedEvent {
  readonly event: TelemetryEvent;
  readonly places: readonly OrderedPlace[];
}

/** What tells nothing about a value: what wasn't resolved yet, or mustn't be read. */
const unreadable = /^\[promise\]$|\[redacted\]|\[getter\]|\[proxy\]/;

/**
 * Returns the failure as it recurred in the running program; null where that is uncertain: another error, another
 * stack, other files than those that were read, lost stops, or a throw whose line wasn't among the stops.
 */
export function watchedEventOf(
  { event, places }: WatchedEvent,
  { error }: Pick<ParsedInput, "error">,
  traced: Traced,
  runtime: string,
): WatchedFailure | null {
  const { watched } = event;
  if (!watched || watched.hits.length >= watchLimits.watchHitsPerEventMax) return null;
  if (!isSameFailure(error, parseEvent(event, runtime), traced)) return null;
  const digests = new Map(traced.files.map(({ source }) => [source.name, source.sha256]));
  if (places.some(({ file, sha256 }) => digests.get(file) !== sha256)) return null;
  const hits = watched.hits.filter(({ at_ms: at }) => at <= watched.at_ms);
  const [first, ...rest] = thrownIn(traced, hits);
  if (!first) return null;
  const thrown = (hit: Hit): Hit => ({ ...hit, kind: "threw", nth: 0, at_ms: watched.at_ms, error: event.message });
  return {
    during: { failed: event.request ? "request" : "job", at: event.timestamp },
    places: places.map((place, index) => {
      const known = watched.places.find((one) => one.place === index);
      const own = hits.filter((hit) => isOf(hit, place));
      const isReadable = own.every(({ returned = "" }) => !unreadable.test(returned));
      return {
        file: place.file,
        line: place.line,
        function: place.function,
        starts: place.starts,
        hits: own.length,
        is_complete: (known?.is_complete ?? false) && isReadable,
        isWatched: known?.is_complete ?? false,
        ...(place.fields && { fields: place.fields }),
      };
    }),
    thrown: [thrown(first), ...rest.map(thrown)],
    // What ran later, before the failure was reported, has nothing to do with it.
    before: hits.slice(0, hits.indexOf(first) + 1),
    beside: [],
    ran: null,
  };
}

function isOf({ file, line, starts }: Hit, place: OrderedPlace): boolean {
  return file === place.file && (line === place.line || (starts !== null && starts === place.starts));
}

/** Whether two events have the same errors, thrown on the same lines of the code that was read. */
function isSameFailure(one: ParsedError, other: ParsedError, { frames }: Traced): boolean {
  const files = new Set(frames.flatMap(({ frame, place }) => (place ? [frame.file] : [])));
  const said = (error: ParsedError): string =>
    JSON.stringify([
      failureMessagesOf(error),
      error.chain.map((index) => {
        const { type, frames: calls = [] } = error.exceptions[index] ?? {};
        return [type, calls.filter(({ file }) => files.has(file)).map(({ file, line }) => [file, line])];
      }),
    ]);
  return said(one) === said(other);
}

/** Returns the last stops on the lines of the failing calls, the innermost first, up to the first call without one. */
function thrownIn({ frames, signals, files }: Traced, hits: readonly Hit[]): Hit[] {
  const code = new CodeAt(files);
  const site = throwingSignal(signals)?.subject;
  const top = frames.find(({ place }) => place !== null && place.file === site?.file && place.line === site.line);
  if (!top) return [];
  const stack = frames.filter(({ exception, index }) => exception === top.exception && index >= top.index);
  const thrown: Hit[] = [];
  for (const { place } of stack) {
    const at = place && code.around(place.file, place.line);
    // Calls of packages and of the runtime aren't watched.
    if (!at) continue;
    const stop = hits.findLast(
      (hit) => hit.kind === "reached" && hit.file === place?.file && hit.line === place.line && code.ran(hit) === at,
    );
    if (!stop) break;
    thrown.push(stop);
  }
  return thrown;
}
