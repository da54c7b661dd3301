import type { Category, Location } from "@whence/protocol";
import type { Findings, Observation, Ranked } from "../findings.ts";
import { observeException } from "../observe.ts";
import type { Fact } from "../telemetry-facts.ts";
import { categoryOf, troubledCalls } from "./category.ts";
import { telemetryWeights as worth } from "./weights.ts";

/** Why a service is suspected. */
interface Reason {
  readonly service: string;
  readonly weight: number;
  /** The category that this reason speaks for; null when it says nothing of that. */
  readonly category: Category | null;
  readonly location: Location | null;
  readonly observation: Observation;
}

/** By chance less than this, or it is not told as a rule. */
const chanceMax = 0.01;
const scoreMax = 0.95;

/**
 * One candidate for each service that the telemetry speaks against: what failed in the same traces where the calls end,
 * whose calls failed before, what was released, how its processes were. Reasons of different kinds add up as independent
 * ones do.
 */
export function telemetryCandidates(findings: Findings): Ranked[] {
  const { event } = findings;
  if (!event) return [];
  const reasons = findings.observations.flatMap((observation) => reasonsOf(observation.fact, observation, findings));
  const suspects = Map.groupBy(reasons, ({ service }) => service);
  return [...suspects].map(([service, against]) => candidate(service, against, findings));
}

function reasonsOf(fact: Fact, observation: Observation, findings: Findings): Reason[] {
  if (fact.kind === "neighbour-failure") return neighbour(fact.failure, observation, findings);
  if (fact.kind === "failing-calls") return failingCalls(fact.calls, observation, findings);
  if (fact.kind === "deploy") return deploy(fact.deploy, observation, findings);
  if (fact.kind === "process-state") return processState(fact.state, observation, findings);
  if (fact.kind === "concentration") return concentration(fact.concentration, observation, findings);
  return [];
}

type FactOf<Kind extends Fact["kind"]> = Extract<Fact, { kind: Kind }>;

function neighbour(
  { service, location, link, role, traces, wasThere, category }: FactOf<"neighbour-failure">["failure"],
  observation: Observation,
  findings: Findings,
): Reason[] {
  const reason = { service, category, location, observation };
  if (link === "time") {
    // That it failed at the same time is no reason by itself.
    if (!isCalled(service, findings)) return [];
    return [{ ...reason, weight: wasThere ? worth.thereBefore : worth.calledAtTheTime }];
  }
  const weights = {
    deepest: worth.deepest,
    refusing: worth.refusing,
    between: worth.between,
    caller: worth.caller,
    beside: worth.beside,
  };
  // Where it is in few of the traces it does not explain the others.
  const share = traces.of > 1 ? Math.min(1, (2 * traces.with) / traces.of) : 1;
  return [{ ...reason, weight: weights[role] * share }];
}

function failingCalls(
  { service, events, of, others, chance }: FactOf<"failing-calls">["calls"],
  observation: Observation,
  findings: Findings,
): Reason[] {
  if (service === null || service === findings.event?.service) return [];
  const isRule = chance <= chanceMax || (others === 0 && events === of);
  return [
    {
      ...{ service, location: null, observation, category: null },
      weight: isRule ? worth.callsAlwaysFailed : worth.callsFailed,
    },
  ];
}

function deploy(fact: FactOf<"deploy">["deploy"], observation: Observation, findings: Findings): Reason[] {
  const { service, verdict, own } = fact;
  if (verdict === "ruled-out") return [];
  if (fact.upstream) return upstreamDeploy(fact, observation, findings);
  const weight = own ? (verdict === "suspect" ? worth.suspectRelease : worth.nearRelease) : ofAsked(fact, findings);
  const category = own || isSuspect(service, findings) ? "deploy-regression" : changedAnswer(findings);
  return weight === 0 ? [] : [{ service, weight, location: null, observation, category }];
}

/** A release of whoever asked, or of whose answer was handed on, when what came from there is what was refused. */
function upstreamDeploy(
  { service, upstream }: FactOf<"deploy">["deploy"],
  observation: Observation,
  findings: Findings,
): Reason[] {
  const hasOwn = findings.observations.some(
    ({ fact }) => fact.kind === "deploy" && !fact.deploy.upstream && fact.deploy.verdict !== "ruled-out",
  );
  if (hasOwn) return [];
  const reason = { service, location: null, observation };
  if (upstream === "caller" && isAskedTooOften(findings)) {
    return [{ ...reason, weight: worth.nearReleaseOfWhoAsksTooOften, category: "deploy-regression" }];
  }
  if (!isInputRefused(findings)) return [];
  return upstream === "caller"
    ? [
        {
          ...reason,
          weight: worth.nearReleaseOfAsker,
          category: null,
        },
      ]
    : [
        {
          ...reason,
          weight: worth.nearReleaseOfSource,
          category: "schema-drift",
        },
      ];
}

const tooManyRequests = 429;

/** Whether somebody refused to do so much: what the failing service asks, it was asked for. */
function isAskedTooOften(findings: Findings): boolean {
  return troubledCalls(findings).some(({ data }) => data.status_code === tooManyRequests);
}

/** Whether the service refused what it was given, and not what it had asked for. */
function isInputRefused(findings: Findings): boolean {
  if (troubledCalls(findings).length > 0 || findings.event?.request === undefined) return false;
  const category = categoryOf(findings);
  if (category === "unknown") return findings.clues.some(({ kind }) => kind === "thrown-by-code");
  return shapeCategories.has(category);
}

/** That another service was given a release says little unless it answers badly since, or what it answers is not read. */
function ofAsked({ service, answeredLast }: FactOf<"deploy">["deploy"], findings: Findings): number {
  if (isSuspect(service, findings)) return worth.nearReleaseOfSuspect;
  if (findings.clues.some(({ how }) => how === "outside-answer" || how === "answer-field"))
    return worth.nearReleaseOfAnswer;
  if (!shapeCategories.has(categoryOf(findings))) return 0;
  const hasOwn = findings.observations.some(
    ({ fact }) => fact.kind === "deploy" && fact.deploy.own && fact.deploy.verdict !== "ruled-out",
  );
  if (hasOwn) return worth.nearReleaseBesideOwn;
  // Where the code of the awaited call is not at hand, what answered last is likely what it gave.
  const isAwaited = findings.clues.some(({ how, isEnd }) => how === "awaited-call" && isEnd);
  return isAwaited && answeredLast ? worth.nearReleaseOfLastAnswer : worth.nearReleaseOfAsked;
}

/** A release after which an answer is no longer understood has changed its shape, unless the error says more. */
function changedAnswer(findings: Findings): Category {
  const said = categoryOf(findings);
  return ["parse-error", "encoding", "upstream-bad-response"].includes(said) ? said : "schema-drift";
}

/** What is seen when an answer has another shape than it had. */
const shapeCategories: ReadonlySet<Category> = new Set([
  ...(["null-dereference", "type-mismatch", "schema-drift", "parse-error", "data-validation"] as const),
  ...(["upstream-bad-response", "encoding", "boundary"] as const),
]);

function processState(
  { service, resource, own, severity }: FactOf<"process-state">["state"],
  observation: Observation,
  findings: Findings,
): Reason[] {
  const category = stateCategories[resource];
  // A process of its own that was not well matters when the error is of that kind; of another, when its calls failed.
  const fits = own ? severity === 1 || category === categoryOf(findings) : isSuspect(service, findings);
  const weight = worth.unwellProcess * severity * (fits ? 1 : worth.unrelated);
  return [{ service, weight, location: null, observation, category: severity >= tellingSeverity ? category : null }];
}

const tellingSeverity = 0.6;
const stateCategories = {
  memory: "resource-exhaustion",
  "event-loop": "infinite-loop",
  silence: "dependency-outage",
  restart: null,
} as const;

function concentration(
  { dimension }: FactOf<"concentration">["concentration"],
  observation: Observation,
  { event }: Findings,
): Reason[] {
  if (!event || (dimension !== "host" && dimension !== "instance" && dimension !== "runtime")) return [];
  return [{ service: event.service, weight: worth.oneHost, location: null, observation, category: null }];
}

/** Whether calls to the service failed, or it failed where the calls lead. */
function isSuspect(service: string, { observations }: Findings): boolean {
  return observations.some(
    ({ fact }) =>
      (fact.kind === "failing-calls" && fact.calls.service === service) ||
      (fact.kind === "neighbour-failure" &&
        fact.failure.service === service &&
        (fact.failure.role === "deepest" || fact.failure.role === "between")),
  );
}

function isCalled(service: string, { observations, event }: Findings): boolean {
  const isKnown = observations.some(({ fact }) => fact.kind === "failing-calls" && fact.calls.service === service);
  return isKnown || event?.calls.some(({ trouble, host }) => trouble !== null && host.includes(service)) === true;
}

function candidate(service: string, reasons: readonly Reason[], findings: Findings): Ranked {
  const sorted = strongestOfEachKind(reasons);
  const own = service === findings.event?.service;
  const category = sorted.find((reason) => reason.category !== null)?.category;
  const first = findings.error.exceptions[findings.error.chain[0] ?? -1];
  const place = own ? findings.frames.find(({ frame }) => frame.origin === "app") : undefined;
  const location = place
    ? { file: place.file, line: place.frame.line, function: place.place?.function ?? place.frame.function }
    : (sorted.find((reason) => reason.location !== null)?.location ?? null);
  return {
    category: category ?? (own ? categoryOf(findings) : "dependency-outage"),
    statement: service,
    service,
    location,
    place: place?.place ?? null,
    score: Math.min(scoreMax, 1 - sorted.reduce((left, { weight }) => left * (1 - weight), 1)),
    reason: own ? "what the telemetry says of the service" : "what the telemetry says of another service",
    evidence: [...sorted.map(({ observation }) => observation), ...(first ? [observeException(findings, first)] : [])],
    support: [],
    against: [],
    subject: service,
    clue: null,
  };
}

/** Two reasons of one kind are mostly one reason twice. */
function strongestOfEachKind(reasons: readonly Reason[]): Reason[] {
  const sorted = reasons.toSorted((left, right) => right.weight - left.weight);
  return sorted.filter(
    ({ observation }, index) =>
      sorted.findIndex((other) => other.observation.fact.kind === observation.fact.kind) === index,
  );
}
