import type { EventFacts } from "../findings/event-facts.ts";
import type { ValueSource } from "../signals/code/value-sources.ts";
import { isWellAnswered } from "../signals/read-answers.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { Traced } from "../trace/traced.ts";
import type { FileView } from "./file-view.ts";
import type { RankedFile } from "./ranked-file.ts";

/**
 * Share of its probability that a file keeps when it only passes on a value from outside and that value was unusable:
 * such a file can't have spoiled it. This includes a file that reads a successful response, because no status check is
 * missing there, but not one that reads a request, because it could have rejected it. Set by judgment: the recorded
 * failures have no breadcrumbs.
 */
const kept = 0.5;

/** Steps that leave a value unchanged. */
const handingOn: ReadonlySet<ValueSource> = new Set<ValueSource>([
  ...(["parameter", "argument", "assignment", "import", "call", "awaited-call", "return"] as const),
  ...(["parsed-text", "outside-answer"] as const),
]);

/** Moves probability from files that only pass on a value from outside to the file that couldn't use it. */
export function withOutsideValues(
  files: readonly RankedFile[],
  traced: Traced,
  event: EventFacts | null,
): readonly RankedFile[] {
  const using = traced.signals.find(isUse)?.subject.file;
  if (!files.some(({ view }) => view.name === using)) return files;
  const answers = traced.signals.filter((signal) => isWellAnswered(signal, event));
  const origins = new Set([...answers, ...traced.signals.filter(isIncoming)]);
  const passed = new Set([...origins].flatMap(wayOf));
  const isHandingOn = ({ name, signals }: FileView): boolean =>
    name !== using &&
    signals.some((signal) => passed.has(signal)) &&
    signals.every((signal) => handsOn(signal) || leadsTo(signal, origins));
  const moved = files.reduce(
    (sum, { view, probability }) => sum + (isHandingOn(view) ? probability * (1 - kept) : 0),
    0,
  );
  if (moved === 0) return files;
  return files
    .map(({ view, probability }) => ({
      view,
      probability: view.name === using ? probability + moved : isHandingOn(view) ? probability * kept : probability,
    }))
    .toSorted((left, right) => right.probability - left.probability);
}

/** Returns whether the value was unusable here, for the code or the runtime. */
function isUse({ kind, steps }: AnyCodeSignal): boolean {
  return (kind === "bad-value" || kind === "throw-site") && steps === 0;
}

function isIncoming(signal: AnyCodeSignal): boolean {
  return signal.kind === "value-step" && signal.args.how === "incoming-body";
}

/** Returns a signal and everything that it leads to. */
function wayOf(signal: AnyCodeSignal): AnyCodeSignal[] {
  const way: AnyCodeSignal[] = [];
  for (let at: AnyCodeSignal | null = signal; at !== null; at = at.towards) way.push(at);
  return way;
}

/** Returns whether a signal is about the request rather than the response. */
function leadsTo({ towards }: AnyCodeSignal, origins: ReadonlySet<AnyCodeSignal>): boolean {
  return towards !== null && wayOf(towards).some((one) => origins.has(one));
}

function handsOn(signal: AnyCodeSignal): boolean {
  return signal.kind === "value-step" && handingOn.has(signal.args.how);
}
