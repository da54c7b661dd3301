import type { FileContent } from "@whence/protocol";
import { onlyChanges } from "./changes/only-change.ts";
import { tellingChanges } from "./changes/telling-changes.ts";
import type { Findings, KnownChanges, ParsedInput } from "./findings/findings.ts";
import type { InvestigationSubject } from "./findings/investigation-subject.ts";
import { ofKind } from "./findings/of-kind.ts";
import type { ParsedError } from "./findings/parsed-error.ts";
import type { GatheredFile } from "./gather/chosen-files.ts";
import { matchSignatures } from "./match/match.ts";
import { withRelatedCategories } from "./match/related-failure-categories.ts";
import { checkedFindings } from "./model/checked-findings.ts";
import type { Collected } from "./observe/collect.ts";
import { sinceFailure } from "./observe/since-failure.ts";
import { parseText } from "./parse/parse.ts";
import { eventFactsOf, parseEvent } from "./parse/parse-event.ts";
import { observeExit } from "./process-exit/observe-exit.ts";
import { trueObservations } from "./report/truth.ts";
import type { Gap } from "./signals/gap.ts";
import { withFollowedCalls } from "./signals/related-calls.ts";
import { SourceText } from "./source/source-text.ts";
import { lineReader } from "./trace/lines-apart.ts";
import type { Traced } from "./trace/traced.ts";
import { watchedFindingsOf } from "./watched/watched-findings.ts";

const noError: ParsedError = {
  exceptions: [],
  chain: [],
  chosenBecause: null,
  records: [],
  alert: null,
  headline: "",
  sources: [],
  unread: [],
};

/** Reads the input of a subject. */
export function parseSubject({ incident, input }: InvestigationSubject, clock: () => number): ParsedInput {
  switch (input.kind) {
    case "text": {
      const { errorLog, about } = input;
      const observedAt = about?.at ?? new Date(clock()).toISOString();
      return { incident, observedAt, error: parseText(errorLog, input.files), event: null, ...(about && { about }) };
    }
    case "process-exit":
      return { incident, observedAt: input.exit.noticedAt, error: noError, event: null, exit: input.exit };
    case "event":
      return {
        incident,
        observedAt: input.event.timestamp,
        error: parseEvent(input.event, input.host.runtime.name),
        event: eventFactsOf(input),
      };
  }
}

/** How many files of a release are named when there is no error to compare its changes with. */
const filesNamedWithoutError = 3;

/**
 * Returns the evidence from telemetry. Of the releases' changes it keeps those that bear on the failure, which are few.
 */
async function observationsOf(
  { error, event, about, exit }: ParsedInput,
  traced: Traced,
  collected: Collected,
): Promise<KnownChanges & Pick<Findings, "observations">> {
  const known = withRelatedCategories(sinceFailure(trueObservations(collected.observations), event));
  const observed = known.filter(({ fact }) => fact.kind !== "release-change" && fact.kind !== "last-change");
  if (exit) {
    return {
      observations: [...observeExit(exit), ...observed],
      onlyChanges: onlyChanges(known, filesNamedWithoutError),
    };
  }
  const release = event?.release ?? about?.release ?? null;
  const readLines = await lineReader(ofKind(known, "release-change").map(({ fact }) => fact.change.path));
  return {
    observations: observed,
    changes: tellingChanges(known, { error, traced, release, readLines }),
    onlyChanges: onlyChanges(known),
    lastChanges: known.filter(({ fact }) => fact.kind === "last-change"),
  };
}

/** The code in the input. */
export function filesOf({ input }: InvestigationSubject): SourceText[] {
  return (input.files ?? []).map(sourceOf);
}

function sourceOf(file: FileContent | GatheredFile): SourceText {
  return new SourceText("source_file", file.name, file.content, 1, "version" in file ? file : {});
}

function notReadOf({ input }: InvestigationSubject): Gap[] {
  return [...Map.groupBy(input.notRead ?? [], ({ why }) => why)].map(([why, files]) => ({
    kind: "files-not-read",
    why,
    files: files.map(({ file }) => file),
  }));
}

/** Checks what a language model says against everything else. */
function withModel(subject: InvestigationSubject, known: Findings): Findings {
  const readByModel = (subject.readByModel ?? []).map(sourceOf);
  const { observations, dropped } = checkedFindings(known.observations, { ...known, readByModel });
  return {
    ...known,
    observations,
    notChecked: [...known.notChecked, ...dropped],
    ...(readByModel.length > 0 && { readByModel }),
  };
}

/** Everything known about a failure before it is ranked. */
export async function findingsOf(
  subject: InvestigationSubject,
  parsed: ParsedInput,
  files: readonly SourceText[],
  traced: Traced,
  collected: Collected,
): Promise<Findings> {
  const changes = await observationsOf(parsed, traced, collected);
  const { observations: seen, ...proven } = watchedFindingsOf(subject, parsed, traced, changes.changes);
  return withModel(subject, {
    ...parsed,
    ...proven,
    event: parsed.event && withFollowedCalls(parsed.event, traced.signals),
    files,
    frames: traced.frames,
    signatures: matchSignatures(parsed.error, traced.frames),
    ...changes,
    observations: [...seen, ...changes.observations],
    ...(subject.connected && { connected: subject.connected }),
    notChecked: [
      ...(subject.notChecked ?? []),
      ...notReadOf(subject),
      ...traced.leftOut.map((one) => ({ kind: "code-left-out" as const, ...one })),
      ...traced.outOfSight,
      ...collected.notChecked,
    ],
  });
}
