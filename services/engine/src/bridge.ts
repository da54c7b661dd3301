import type { Clue, Findings, Observation, Ranked, Ranking as RankedCauses } from "./findings.ts";
import { bandIndexOf, type OrganizationHistory } from "./organization-history.ts";
import type { Candidate, Ranking } from "./rank/candidate.ts";
import type { AnyCodeSignal, CodeSignal, CodeSignalArgs, CodeSignalKind, Subject } from "./signals/signal.ts";
import type { AnyFact, Fact } from "./telemetry-facts.ts";
import type { Traced } from "./trace/traced.ts";

/** The clues of the former tracer as signals. Goes with it. */
export function asTraced(findings: Findings): Traced {
  return { frames: findings.frames, signals: [...signalsOf(findings).values()], files: [], leftOut: [] };
}

/** What the former ranking concluded, as candidates. Goes with it. */
export function asRanking(
  { candidates, confidence }: RankedCauses,
  findings: Findings,
  history: OrganizationHistory | undefined,
): Ranking {
  const signals = signalsOf(findings);
  const [first, second] = candidates;
  const modelScore =
    "model_score" in confidence && typeof confidence.model_score === "number"
      ? confidence.model_score
      : confidence.score;
  const band = history?.[bandIndexOf(modelScore)];
  const isTie =
    first !== undefined &&
    second !== undefined &&
    first.location?.file !== second.location?.file &&
    first.score - second.score < 0.1;
  return {
    candidates: candidates.map((one) => candidateOf(one, findings, signals)),
    confidence: {
      ...{ score: confidence.score, modelScore, judged: band?.judged ?? 0, confirmed: band?.confirmed ?? 0, isTie },
      about: first?.location ? "file" : typeof first?.service === "string" ? "service" : "failure",
    },
  };
}

function candidateOf(ranked: Ranked, findings: Findings, signals: ReadonlyMap<Clue, AnyCodeSignal>): Candidate {
  const signal = ranked.clue && signals.get(ranked.clue);
  const service =
    ranked.service === undefined ? (findings.event?.service ?? findings.incident.service) : ranked.service;
  return {
    subject: subjectOf(ranked, findings, service),
    service,
    category: ranked.category,
    probability: ranked.score,
    signals: signal ? [signal] : [],
    frames: findings.frames.filter(
      ({ file, frame }) => file === ranked.location?.file && frame.line === ranked.location.line,
    ),
    observations: ranked.evidence.filter(isTelemetry),
    signature: findings.signatures[0] ?? null,
  };
}

const inputKinds: ReadonlySet<AnyFact["kind"]> = new Set([
  ...(["exception", "frame", "code", "breadcrumb", "call", "request", "mechanism"] as const),
  ...(["signature", "record", "alert", "text"] as const),
]);

function isTelemetry(observation: Observation<AnyFact>): observation is Observation<Fact> {
  return !inputKinds.has(observation.fact.kind);
}

function subjectOf(ranked: Ranked, findings: Findings, service: string | null): Subject {
  const { location, place, clue, subject, evidence } = ranked;
  if (ranked.reason.startsWith("what the telemetry says")) {
    const deploy = evidence.map(({ fact }) => fact).find((fact) => fact.kind === "deploy");
    if (deploy?.kind === "deploy" && ranked.category === "deploy-regression")
      return { kind: "release", service: deploy.deploy.service, release: deploy.deploy.release };
    return { kind: "service", service: service ?? "" };
  }
  if (ranked.reason.startsWith("a dependency") && subject !== null) return { kind: "dependency", name: subject };
  if ((clue?.how === "environment" || clue?.how === "setting") && subject !== null)
    return { kind: "setting", name: subject, where: clue.how === "environment" ? "environment" : "configuration" };
  if (location) return { kind: "place", ...location, source: place?.source ?? null };
  const address = /\bE[A-Z]{4,}\b[^\d\n]{0,20}((?:\d{1,3}\.){3}\d{1,3}:\d{1,5})/.exec(findings.error.headline)?.[1];
  return address === undefined ? { kind: "service", service: service ?? "" } : { kind: "dependency", name: address };
}

function signalsOf({ clues, error }: Findings): Map<Clue, AnyCodeSignal> {
  const site = clues.find(({ steps, how }) => steps === 0 && how === null);
  const made = new Map<Clue, AnyCodeSignal>();
  const said = error.exceptions[error.chain.at(-1) ?? -1]?.message ?? "";
  for (const clue of clues.toSorted((left, right) => left.steps - right.steps)) {
    const before = clues.filter((other) => other.how !== null && other.steps < clue.steps);
    const nearest = before.toSorted((left, right) => right.steps - left.steps)[0] ?? site;
    const towards = clue === site || clue.how === null || !nearest ? null : (made.get(nearest) ?? null);
    const signal = signalOf(clue, towards, said);
    if (signal) made.set(clue, signal);
  }
  return made;
}

function signalOf(clue: Clue, towards: AnyCodeSignal | null, said: string): AnyCodeSignal | null {
  const { kind, subject: name, how, steps, isEnd, place } = clue;
  const base = { subject: { kind: "place", ...place } as const, steps, isEnd, towards };
  const make = <K extends CodeSignalKind>(of: K, args: CodeSignalArgs[K]): CodeSignal<K> => ({
    kind: of,
    args,
    ...base,
  });
  if (how !== null) return make("value-step", { how, name, code: name });
  const was = /\b(undefined|null|nil|None|not a function)\b/.exec(said)?.[1];
  const member = /reading '([^']+)'|attribute '([^']+)'/.exec(said);
  switch (kind) {
    case "nullish-operand":
      return make("bad-value", {
        ...{
          expression: /^`([^`]+)`/.exec(clue.says)?.[1] ?? name,
          was: was ?? "undefined",
          use: was === "not a function" ? "call" : "read",
        },
        member: member?.[1] ?? member?.[2] ?? null,
      });
    case "throw-site":
      return make("throw-site", { expression: name });
    case "thrown-by-code":
      return make("deliberate-throw", { condition: null });
    case "unawaited-call":
      return make("missing-await", {
        callee: name,
        how: clue.says.startsWith("nothing awaits") ? "forgotten" : "as-value",
      });
    case "unreleased-resource":
      return make("unreleased-resource", { acquire: name, leavesAtLine: null });
    case "literal-value":
      return make("literal-in-message", { value: name });
    case "broken-file":
      return make("broken-file", { format: "JSON", problem: said.split("\n", 1)[0] ?? "" });
    case "suspicious-code":
      return clue.rule === "swallowed-failure"
        ? make("swallowed-error", { call: name })
        : make("throw-site", { expression: name });
    default:
      return null;
  }
}
