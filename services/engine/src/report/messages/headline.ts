import type { Location } from "@whence/protocol";
import { changedText } from "../../signals/change-effect.ts";
import type { Fact } from "../../signals/fact.ts";
import { commitText } from "../../signals/facts/commit.ts";
import type { DeployFact } from "../../signals/facts/deploy-fact.ts";
import type { ObservedCall } from "../../signals/facts/observed.ts";
import { whenReleased } from "../../signals/facts/release-reason.ts";
import { changeText } from "../../signals/facts/undone-change.ts";
import { type LocalValue, valuesText } from "../../signals/inputs/local-values.ts";
import { changedText as outsideChangedText } from "../../signals/outside/change-event-link.ts";
import { bytes, count, duration, inlineCode, percent, placeText, sentence, shortCode } from "../../words/prose.ts";
import { changerOf, nameOf, versionOf, wentBack } from "../../words/release-names.ts";
import type { LinkArgs } from "../link.ts";

/** How much is affected, where that is known. */
export interface Extent {
  /** `GET /orders/:id`. */
  readonly request: string | null;
  readonly service: string | null;
  readonly events: number | null;
  readonly firstSeen: string | null;
  /** Among the service's requests since `countedSince`, which may be later. */
  readonly requests: number | null;
  readonly failed: number | null;
  readonly countedSince: string | null;
  /** Whether minutes since then have no count. */
  readonly isCountedInPart: boolean;
}

/** How an origin and its symptom are joined. */
export type Join = "so" | "and" | "colon" | "within";

const joints: Readonly<Record<Join, string>> = { so: ", so ", and: ", and ", colon: ": ", within: ", " };

/** The parts of a headline: clauses without a full stop, or sentences. Lists contain variants, the longest first. */
export const headline = {
  /** Another service's release removed what this one reads. */
  stoppedSending: (link: LinkArgs["deploy"], field: string, reader: Location | null): readonly string[] => {
    const changed = changedBy(link);
    const leads = changed.length > 0 ? changed : [`${changerOf(link.deploy)} stopped sending ${inlineCode(field)}`];
    const read = reader ? leads.map((lead) => `${lead}, and ${placeText(reader)} reads it unchecked`) : [];
    return [...read, ...leads];
  },
  /** A change in a release that bears on the failure. */
  releaseChanged: (args: LinkArgs["deploy"]): readonly string[] => changedBy(args),
  releaseBroke: (deploy: DeployFact, broken: string): string =>
    deploy.isBack
      ? `${changerOf(deploy)} broke ${broken}`
      : `release ${versionOf(deploy)}${broken === inlineCode(deploy.service) ? "" : ` of ${inlineCode(deploy.service)}`} broke ${broken}`,
  /** The release is near in time, and no comparison with the previous one exists. */
  releaseNear: (deploy: DeployFact): string =>
    deploy.began === undefined
      ? `failures began ${nearText(deploy)} ${wentBack(deploy) ?? nameOf(deploy)}`
      : `${nameOf(deploy)} ${whenReleased(deploy)}`,
  /** A change, without the vendor's title for it. */
  changed: (args: LinkArgs["change-event"]): string => outsideChangedText(args, false),
  /** What was seen of the place that is the cause. */
  seen: ({ place, during, returned, missing, changedBy, values }: ObservedCall): readonly string[] => {
    const when = "run" in during ? `in run ${during.run}` : `in production`;
    if (missing !== null) {
      const seen = `${inlineCode(missing)} was missing at ${placeText(place)} ${when}`;
      if (changedBy === null) return [seen];
      const { how, ...release } = changedBy;
      return [how === "wrote" ? `${seen}, which ${nameOf(release)} wrote` : `${nameOf(release)} took it away: ${seen}`];
    }
    const seen = `${placeText(place)} returned ${inlineCode(returned ?? "")} ${when}`;
    const where = values.slice(0, 1);
    return [...(where.length === 0 ? [] : [`${seen}, where ${valuesText(where)}`]), seen];
  },
  /** A change without which the failing command passes. */
  undone: (undone: Fact<"undone-change">["undone"]): string => `${changeText(undone)} makes the command fail`,
  ledTo: (origin: string, join: Join, symptom: string): string => `${origin}${joints[join]}${symptom}`,
  /** An origin whose code is too long for a headline. */
  from: (symptom: string, place: Location): string => `${symptom}, with a value from ${placeText(place)}`,
  /** A cause whose words are too long for a headline. */
  inPlace: (place: Location, failed: string, isSure: boolean): string => `${isIn(place, isSure)}: ${failed}.`,
  /** A place that only handed the value on that failed. */
  valueFrom: (place: Location, failed: string, isSure: boolean): string =>
    `${isIn(place, isSure)}, where the value comes from: ${failed}.`,
  /** A place that only handed on `code`, on which what failed depends. */
  dependingOn: (place: Location, failed: string, code: string, isSure: boolean): string =>
    `${isIn(place, isSure)}: ${failed}. It depends on ${inlineCode(shortCode(code))} there.`,
  /** A place that the ranking names and that isn't on the stack. */
  offStack: (place: Location, symptom: string | null, isPlain: boolean): string =>
    `${isPlain ? "The cause is likely" : "Most likely"} in ${placeText(place)}, which isn't on the stack${symptom === null ? "" : `: ${symptom}`}.`,
  likely: (what: string): string => `Most likely: ${what}.`,
  thrown: (type: string, place: Location | null): readonly string[] => [
    place ? `${placeText(place)} fails with ${inlineCode(type)}.` : `The error is ${inlineCode(type)}.`,
  ],
  /** With what fails, when that is known. */
  unknown: (failing: string | null): readonly string[] => [
    ...(failing === null ? [] : [`The cause is unknown: ${failing}.`]),
    "The cause is unknown.",
  ],
  bareStack: {
    runtime: "The stack shows only the runtime's own calls.",
    test: "The stack shows only the test, not the code that it tests.",
  },
  startAt: (where: string): string => `Start at ${where}.`,
  /** What failed at the place to start at, as a clause. */
  startWhere: (what: string): string => `Start where ${what}.`,
  /** Own code, and the place in an installed package that its call ended in. */
  startAtCaller: (caller: string, place: string): string => `Start at ${caller}, which calls into ${place}.`,
  tie: (first: string, second: string): readonly string[] => [
    `Two causes are about equally likely: ${first} and ${second}.`,
    `About equally likely: ${first} and ${second}.`,
  ],
  fails: (request: string | null, type: string): string =>
    request === null ? inlineCode(type) : `${inlineCode(request)} fails with ${inlineCode(type)}`,
  /** The text that couldn't be read. */
  statedValue: (value: string): string => `The value was ${inlineCode(value)}.`,
  /** What the runtime takes a misspelled name for. */
  suggested: (name: string): string => `The runtime suggests ${inlineCode(name)}.`,
  /** Units: bytes. */
  heapAboveMemory: (heap: number, memory: number): string =>
    `The heap may grow to ${bytes(heap)}, and the container has ${bytes(memory)}.`,
  /** What variables were where it failed. */
  values: (values: readonly LocalValue[], name: string | null): string =>
    sentence(`${valuesText(values)}${name === null ? "" : ` in ${inlineCode(name)}`}`),
  /** Failures in a release and in the others. */
  contrast: ({ counts, service, release }: DeployFact): string | null =>
    counts === null || counts.inRelease === 0
      ? null
      : `${count(counts.inRelease, "failure")} on ${versionOf({ service, release })}, ${counts.inOthers === 0 ? "none" : counts.inOthers} on other releases.`,
  extent: ({
    request,
    service,
    events,
    firstSeen,
    requests,
    failed,
    countedSince: since,
    isCountedInPart,
  }: Extent): readonly string[] => [
    ...(requests !== null && failed !== null && requests > 0 && failed > 0 && service !== null
      ? [
          failed === requests
            ? `Every ${isCountedInPart ? "counted " : ""}request to ${inlineCode(service)} has failed since ${since}.`
            : `${percent(failed / requests)} of ${isCountedInPart ? "counted " : ""}requests to ${inlineCode(service)} have failed since ${since}.`,
        ]
      : []),
    ...(events !== null && events > 1 && firstSeen !== null
      ? [
          ...(request === null ? [] : [`${inlineCode(request)} has failed ${events} times since ${firstSeen}.`]),
          `${count(events, "failure")} since ${firstSeen}.`,
        ]
      : []),
    ...(events === 1 && firstSeen !== null && request !== null
      ? [`${inlineCode(request)} failed at ${firstSeen}.`]
      : []),
  ],
} as const;

function isIn(place: Location, isSure: boolean): string {
  return `${isSure ? "The cause is" : "Most likely"} in ${placeText(place)}`;
}

/** With and without the commit. A change that only the release points to doesn't lead a headline. */
function changedBy({ deploy, change }: LinkArgs["deploy"]): readonly string[] {
  if (change === null || change.effect.kind === "only") return [];
  const changed = `${changerOf(deploy)} ${changedText(change.effect, change.place)}`;
  return [...new Set([`${changed}${commitText(change.commit)}`, changed])];
}

/** Returns how long after the release, where clocks can tell. */
function nearText(deploy: DeployFact): string {
  const { at, firstSeen } = deploy;
  const afterMs = firstSeen === null ? 0 : Date.parse(firstSeen) - Date.parse(at);
  if (afterMs > 0) return `${duration(afterMs)} after`;
  return wentBack(deploy) === null ? "around the release of" : "around the time";
}
