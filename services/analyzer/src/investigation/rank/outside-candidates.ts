import type { Category } from "@whence/protocol";
import { callText } from "../call-text.ts";
import type { Findings, NeighbourFailure, Observation, OutgoingCall, ParsedException, Ranked } from "../findings.ts";
import { observeBreadcrumb, observeException } from "../observe.ts";
import { inlineCode } from "../prose.ts";
import { categoryOf, recentCalls, troubledCalls } from "./category.ts";
import { weights } from "./weights.ts";

/** Causes outside this process: a dependency that failed, another service's failure at the same time. */
export function outsideCandidates(findings: Findings): Ranked[] {
  return [...dependencies(findings), ...neighbours(findings)];
}

function dependencies(findings: Findings): Ranked[] {
  const { event } = findings;
  const calls = isAboutAnswer(findings)
    ? [...troubledCalls(findings), ...recentCalls(findings)]
    : troubledCalls(findings);
  const call = calls[0];
  if (!event || !call) return [];
  const observed = observeBreadcrumb(event, call.index, callText(call));
  const first = firstException(findings);
  const evidence = [observed, first ? observeException(findings, first) : null].filter((one) => one !== null);
  const own = findings.frames.find(({ frame }) => frame.origin === "app");
  return [
    {
      category: categoryOfCall(call, findings),
      statement: `${callText(call)} shortly before, and the error follows from that answer.`,
      location: own
        ? { file: own.file, line: own.frame.line, function: own.place?.function ?? own.frame.function }
        : null,
      place: own?.place ?? null,
      score: scoreOf(call, findings),
      reason: "a dependency that failed shortly before",
      evidence,
      support: [callText(call)],
      against: call.trouble === null ? ["the call itself succeeded"] : [],
      subject: call.host,
      clue: null,
    },
  ];
}

function scoreOf(call: OutgoingCall, findings: Findings): number {
  if (isAboutAnswer(findings)) return call.trouble === null ? weights.unreadableAnswer : weights.refusedAnswer;
  return weights.failingDependency;
}

/** An answer that could not be read says more about who answered than about who read it. */
function isAboutAnswer(findings: Findings): boolean {
  return ["upstream-bad-response", "parse-error"].includes(categoryOf(findings));
}

function categoryOfCall(call: OutgoingCall, findings: Findings): Category {
  const overall = categoryOf(findings);
  if (["network-unreachable", "timeout", "auth"].includes(overall)) return overall;
  if (call.data.status_code === undefined && call.trouble !== null) return "dependency-outage";
  return "upstream-bad-response";
}

function neighbours(findings: Findings): Ranked[] {
  const first = firstException(findings);
  return findings.observations.flatMap((observation): Ranked[] => {
    if (observation.fact?.kind !== "neighbour-failure") return [];
    const { failure } = observation.fact;
    const evidence: Observation[] = [observation, ...(first ? [observeException(findings, first)] : [])];
    const isSameTrace = failure.link === "trace";
    return [
      {
        category: "dependency-outage",
        statement: `${inlineCode(failure.service)} failed ${isSameTrace ? "in the same trace" : "at the same time"}: ${inlineCode(failure.message)}.`,
        location: failure.location,
        place: null,
        score: neighbourScore(failure, findings),
        reason: "a failure of another service",
        evidence,
        support: [
          `${inlineCode(failure.service)} reported a failure ${isSameTrace ? "in the same trace" : "within half a minute"}`,
        ],
        against: isSameTrace ? [] : ["only the time connects the two failures"],
        subject: failure.service,
        clue: null,
      },
    ];
  });
}

function neighbourScore({ link, service }: NeighbourFailure, findings: Findings): number {
  if (link === "trace") return weights.neighbourFailure;
  const isCalled = troubledCalls(findings).some(({ host }) => host.includes(service));
  return isCalled ? weights.neighbourCalled : weights.neighbourInTime;
}

function firstException({ error }: Findings): ParsedException | null {
  return error.exceptions[error.chain[0] ?? -1] ?? null;
}
