import type { EventFacts } from "../findings.ts";
import { isWellAnswered } from "../read-answers.ts";
import type { AnyCodeSignal, ValueSource } from "../signals/signal.ts";
import type { Traced } from "../trace/traced.ts";
import type { FileView } from "./file-view.ts";
import type { RankedFile } from "./rank-files.ts";

/**
 * Share of its probability that a file keeps that only takes in an answer and hands it on, when the call succeeded: no
 * status check is missing there, and what the answer lacks is read elsewhere. Set by judgement: the recorded failures
 * have no breadcrumbs.
 */
const kept = 0.5;

/** Steps that leave a value as it is. */
const handingOn: ReadonlySet<ValueSource> = new Set<ValueSource>([
  ...(["parameter", "argument", "assignment", "import", "call", "awaited-call", "return"] as const),
  ...(["parsed-text", "outside-answer"] as const),
]);

/** Moves probability from files that only hand on what a successful call answered to where it couldn't be used. */
export function withAnswersRead(
  files: readonly RankedFile[],
  traced: Traced,
  event: EventFacts | null,
): readonly RankedFile[] {
  const using = traced.signals.find(({ kind, steps }) => kind === "bad-value" && steps === 0)?.subject.file;
  if (!files.some(({ view }) => view.name === using)) return files;
  const answers = new Set(traced.signals.filter((signal) => isWellAnswered(signal, traced.files, event)));
  const isReader = ({ name, signals }: FileView): boolean =>
    name !== using &&
    signals.some((signal) => answers.has(signal)) &&
    signals.every((signal) => handsOn(signal) || leadsTo(signal, answers));
  const moved = files.reduce((sum, { view, probability }) => sum + (isReader(view) ? probability * (1 - kept) : 0), 0);
  if (moved === 0) return files;
  return files
    .map(({ view, probability }) => ({
      view,
      probability: view.name === using ? probability + moved : isReader(view) ? probability * kept : probability,
    }))
    .toSorted((left, right) => right.probability - left.probability);
}

/** Whether a signal is about what was asked, and not about the answer. */
function leadsTo({ towards }: AnyCodeSignal, answers: ReadonlySet<AnyCodeSignal>): boolean {
  for (let at = towards; at !== null; at = at.towards) if (answers.has(at)) return true;
  return false;
}

function handsOn(signal: AnyCodeSignal): boolean {
  return signal.kind === "value-step" && handingOn.has(signal.args.how);
}
