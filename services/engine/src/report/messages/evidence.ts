import type { Alert, LogRecord } from "../../findings/findings.ts";
import type { TableOf } from "../../findings/kinds.ts";
import type {
  AnsweredMinute,
  AnyFact,
  Concentration,
  DeployFact,
  FailingCalls,
  LastActivity,
  RateFact,
  RelatedFailure,
  SimilarIncident,
} from "../../findings/telemetry-facts.ts";
import { count, duration, inlineCode, percent, placeText } from "../../words/prose.ts";
import { callText } from "./calls.ts";
import { changeText, comparisonText, lastChangeText, shortId } from "./changes.ts";
import { outsideText } from "./outside.ts";
import { exitText, lastHeartbeatText } from "./process-exits.ts";
import { processText } from "./processes.ts";
import { nameOf, wentBack } from "./release-names.ts";
import { releaseReason } from "./releases.ts";
import { vitalsText } from "./vitals.ts";

/** What a piece of evidence shows, as a clause without a full stop. */
export const evidence: TableOf<AnyFact, string> = {
  totals: ({ impact: { events, first_seen: since } }) =>
    since === null
      ? count(events, "event")
      : events === 1
        ? `1 event, at ${since}`
        : `${count(events, "event")} since ${since}`,
  answers: ({ service, minutes }) => answersText(service, minutes),
  rate: ({ rate }) => rateText(rate),
  "related-failure": ({ failure }) => relatedFailureText(failure),
  "earlier-failure": ({ message, at }) => `the same process had already failed at ${at}: ${inlineCode(message)}`,
  deploy: ({ deploy }) => deployText(deploy),
  comparison: ({ comparison }) => comparisonText(comparison),
  change: ({ change }) => changeText(change),
  "last-change": ({ lastChange }) => lastChangeText(lastChange),
  concentration: ({ concentration }) => concentrationText(concentration),
  "failing-calls": ({ calls }) => callsText(calls),
  "process-state": ({ state }) => processText(state),
  "similar-incident": ({ similar }) => similarText(similar),
  outside: ({ outside }) => outsideText(outside),
  "last-heartbeat": ({ lastHeartbeat }) => lastHeartbeatText(lastHeartbeat),
  exit: ({ exit }) => exitText(exit),
  "vital-signs": ({ reading }) => vitalsText(reading),
  "last-activity": ({ activity }) => activityText(activity),
  "main-thread": ({ top }) => `the main thread was blocked in ${inlineCode(top)}`,
  exception: ({ type, message }) => inlineCode(`${type}: ${message}`),
  frame: ({ place }) => placeText(place),
  code: ({ place }) => `the code at ${placeText(place)}`,
  breadcrumb: ({ category, message }) => `${inlineCode(category)}: ${inlineCode(message)}`,
  call: ({ call }) => callText(call),
  request: ({ method, route }) => `serving ${inlineCode(`${method} ${route}`)}`,
  mechanism: ({ mechanism, isHandled }) =>
    `caught by ${inlineCode(mechanism)}, ${isHandled ? "handled" : "not handled"}`,
  signature: ({ id }) => `matches the known failure ${inlineCode(id)}`,
  record: ({ record }) => recordText(record),
  alert: ({ alert }) => alertText(alert),
  text: ({ headline }) => (headline === "" ? "the text as given" : inlineCode(headline)),
};

function answersText(service: string, minutes: readonly AnsweredMinute[]): string {
  const requests = minutes.reduce((sum, minute) => sum + minute.requests, 0);
  const failed = minutes.reduce((sum, minute) => sum + minute.failed, 0);
  const [first, last] = [minutes[0]?.at, minutes.at(-1)?.at];
  const span = first === undefined || last === undefined ? "" : ` (${heartbeatsText(first, last)})`;
  return `${inlineCode(service)} answered ${failed} of ${count(requests, "request")} with a server error${span}`;
}

function heartbeatsText(first: string, last: string): string {
  return first === last ? `heartbeats of ${first}` : `heartbeats from ${first} to ${last}`;
}

function rateText({ of, ...rate }: RateFact): string {
  return of === undefined ? shapeText(rate) : `some failure of ${inlineCode(of)} ${shapeText(rate)}`;
}

function shapeText({ shape, at, until, before, after, perProcess }: Omit<RateFact, "of">): string {
  const change = `from ${figure(before)} to ${figure(after)} events a minute${perProcess ? " per process" : ""}`;
  switch (shape) {
    case "first":
      return `first seen at ${at}`;
    case "growth":
      return `occurs more and more often, ${change}`;
    case "step":
      return `occurs more often since ${at}, ${change}`;
    case "spike":
      return `occurred more often from ${at}${until === null ? "" : ` to ${until}`}, ${change}`;
    case "steady":
      return `occurs at a steady rate of about ${figure(after)} events a minute${perProcess ? " per process" : ""}`;
  }
}

function figure(rate: number): string {
  return rate === 0 ? "0" : rate >= 10 ? rate.toFixed(0) : String(Number(rate.toPrecision(2)));
}

function relatedFailureText({ service, message, link, role, traces, location, wasThere }: RelatedFailure): string {
  const where = location ? ` in ${placeText(location)}` : "";
  if (link === "time") {
    const before = wasThere ? ", as often as before" : "";
    return `${inlineCode(service)} failed at about the same time${before}${where}: ${inlineCode(message)}`;
  }
  const often = traces.of > 1 ? ` in ${traces.with} of ${traces.of} traces` : " in the same trace";
  return `${inlineCode(service)} failed${often}${roles[role]}${where}: ${inlineCode(message)}`;
}

const roles = {
  deepest: ", where the failed calls end",
  refusing: ", rejecting the request with a 4xx status",
  between: ", on the path of the failed calls",
  caller: ", as a caller",
  beside: ", but no failed call leads there",
} as const;

function deployText(deploy: DeployFact): string {
  const verdict = { suspect: "suspect: it", near: "near:", "ruled-out": "ruled out: it" }[deploy.verdict];
  const near = deploy.verdict === "near" ? "it " : "";
  return `${sinceText(deploy)} is ${verdict} ${near}${releaseReason(deploy)}`;
}

function sinceText(deploy: DeployFact): string {
  const { at, previous, reported, isStartKnown } = deploy;
  const isReported = reported?.at === at;
  const back = wentBack(deploy);
  if (back !== null)
    return `${back} at ${at}${isReported ? ", as reported" : ""}${builtFrom(deploy)}. ${nameOf(deploy)}`;
  const from = previous === null ? "" : `, after ${inlineCode(previous)}`;
  const seen = isStartKnown ? "started at" : "first seen at";
  return `${nameOf(deploy)} (${isReported ? "reported as live at" : seen} ${at}${from}${builtFrom(deploy)})`;
}

function builtFrom({ reported }: DeployFact): string {
  const commit = reported?.commit ?? null;
  return commit === null ? "" : `, built from ${shortId(commit)}`;
}

function concentrationText({ dimension, value, failing, of, expected, chance }: Concentration): string {
  const usual =
    dimension === "host" || dimension === "instance"
      ? `which runs ${percent(expected)} of the service`
      : `which has ${percent(expected)} of the service's other failures`;
  const rarity = chance < 1e-6 ? "less than one in a million" : `1 in ${Math.round(1 / chance)}`;
  return `${failing} of ${count(of, "failure")} (${percent(failing / of)}) ${wheres[dimension]} ${inlineCode(value)}, ${usual}; odds of chance: ${rarity}`;
}

const wheres: Readonly<Record<Concentration["dimension"], string>> = {
  host: "are on host",
  instance: "are in process",
  route: "are on route",
  "user agent": "come from user agent",
  runtime: "run on",
  upstream: "follow calls to",
};

function callsText({ host, service, how, events, of, others, othersOf }: FailingCalls): string {
  const target = service === null ? inlineCode(host) : `${inlineCode(service)} (${inlineCode(host)})`;
  const outcome = {
    error: "failed",
    status: "returned an error",
    slow: "took far longer than usual",
    unanswered: "had no answer yet",
  }[how];
  const compared = othersOf === 0 ? "" : `, and before ${others} of ${count(othersOf, "other event")}`;
  return `a call to ${target} ${outcome} before ${events} of ${count(of, "failure")}${compared}`;
}

function similarText({ id, at, likeness, summary, verdict }: SimilarIncident): string {
  const found = summary === "" ? "no cause was found" : `found ${inlineCode(summary)}`;
  const judged = { right: "confirmed", wrong: "rejected", partly: "partly confirmed" };
  return `incident ${inlineCode(id)} of ${at} (${likeness}): ${found}; ${verdict === null ? "not reviewed" : judged[verdict]}`;
}

function activityText({ category, message, beforeLastMs }: LastActivity): string {
  const before = beforeLastMs === null ? "" : `, ${duration(beforeLastMs)} before its last heartbeat`;
  return `last activity: ${category === "http" ? "" : `${category} `}${inlineCode(message)}${before}`;
}

/** A log line, with how severe it says it is. */
export function recordText({ message, level }: LogRecord): string {
  const [line = ""] = message.split("\n", 1);
  return level === null ? inlineCode(line) : `${level}: ${inlineCode(line)}`;
}

/** What an alert says, since when, and how severe it is. */
function alertText({ system, name, status, severity, summary, startedAt }: Alert): string {
  const marks = [status, severity].flatMap((mark) => (mark === null ? [] : [mark.toLowerCase()]));
  const marked = marks.length === 0 ? "" : ` (${marks.join(", ")})`;
  const since = startedAt === null ? "" : ` since ${startedAt}`;
  const says = summary === name || summary === "" ? "" : `: ${inlineCode(summary)}`;
  return `${system} reports ${inlineCode(name)}${marked}${since}${says}`;
}
