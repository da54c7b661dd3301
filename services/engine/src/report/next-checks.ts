import type { Findings } from "../findings/findings.ts";
import type { ValueSource } from "../signals/code/value-sources.ts";
import type { Alert } from "../signals/inputs/alert.ts";
import { isTie } from "./headline.ts";
import { knownFailure } from "./known-failure.ts";
import { isSamePlace, type Link } from "./link.ts";
import type { Messages } from "./messages.en.ts";
import { subjectNoun } from "./nouns.ts";
import type { ChainedCandidate, ReportInput } from "./report-input.ts";
import { partOf, whatOf } from "./words.ts";

const checksMax = 4;
const filesMax = 3;

/** Returns what would show that the first candidate is wrong, without repeating the report. */
export function ruledOutBy({ chain }: ChainedCandidate, { findings, messages }: ReportInput): string[] {
  const origin = checkable(chain, findings);
  const own = origin ? partOf(origin, "ruledOutBy", messages) : null;
  const [match] = findings.signatures;
  const known = match ? knownFailure(match, findings).ruledOutBy : null;
  const said = new Set(chain.map((link) => plain(whatOf(link, messages))));
  return [...new Set([own, known].filter((one) => one !== null))].filter((clause) => !said.has(plain(clause)));
}

/** Returns the origin of a chain; nothing where it is a call that was given up, which returned no value to look at. */
function checkable(chain: readonly Link[], { signatures }: Findings): Link | undefined {
  const [origin, last] = [chain[0], chain.at(-1)];
  if (!origin || !last || signatures[0]?.signature.category !== "timeout" || !isSamePlace(origin, last)) return origin;
  const isCalled =
    origin.kind === "code" && origin.args.signal.kind === "value-step" && called.has(origin.args.signal.args.how);
  return isCalled ? undefined : origin;
}

const called: ReadonlySet<ValueSource> = new Set<ValueSource>(["call", "awaited-call", "outside-answer"]);

/** Returns a sentence in lowercase with only its letters and digits, for comparison. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Returns what to check next, the most telling first. */
export function nextChecks(first: ChainedCandidate, input: ReportInput): string[] {
  const { findings, messages, candidates } = input;
  const origin = checkable(first.chain, findings);
  const own = origin ? partOf(origin, "confirmedBy", messages) : null;
  const [match] = findings.signatures;
  const known = match ? knownFailure(match, findings).confirmedBy : null;
  const second = candidates[1];
  const rival = second && isTie(input) ? subjectNoun(second.candidate, messages, input.shown) : null;
  return [
    own === null ? null : messages.analysis.confirmed(own),
    known === null ? null : messages.analysis.confirmed(known),
    rival === null ? null : messages.analysis.lookAt(rival),
    missingCode(first, input),
    missingLog(input),
  ]
    .filter((check) => check !== null)
    .slice(0, checksMax);
}

/** Returns the code that would show more, by its names on the stack. */
function missingCode(
  { candidate, location }: ChainedCandidate,
  { findings, messages, shown }: ReportInput,
): string | null {
  const hasCode = candidate.signals.length > 0 || candidate.frames.some(({ place }) => place !== null);
  if (hasCode || findings.exit) return null;
  const blind = findings.frames.filter(({ frame, place }) => frame.origin === "app" && place === null);
  const named = [...(location ? [location.file] : []), ...blind.map(({ file }) => file)];
  const files = [...new Set(named)].filter((file) => !isGiven(file, findings)).slice(0, filesMax);
  return files.length === 0 ? null : messages.analysis.attach(files.map(shown));
}

/** Returns whether a file was given, whichever version of it. */
export function isGiven(file: string, { files }: Pick<Findings, "files">): boolean {
  return files.some(({ name }) => name === file);
}

function missingLog({ findings: { error, event, exit }, messages }: ReportInput): string | null {
  const hasStack = error.exceptions.some(({ frames }) => frames.length > 0);
  if (event || exit || hasStack) return null;
  if (error.alert) return alertLog(error.alert, messages);
  const object = error.records.find(({ fields }) => String(fields.object ?? "").startsWith("pod/"))?.fields.object;
  if (object !== undefined) return messages.analysis.podLog(`kubectl logs ${String(object)} --previous`);
  return messages.analysis.moreLog();
}

function alertLog({ labels, startedAt }: Alert, { analysis }: Messages): string {
  const { pod, namespace, service, app, job, host, instance } = labels;
  if (pod !== undefined)
    return analysis.podLog(`kubectl logs ${namespace === undefined ? "" : `-n ${namespace} `}${pod} --previous`);
  return analysis.logOf(service ?? app ?? job ?? host ?? instance ?? null, startedAt);
}
