import type { Surroundings } from "../surroundings.ts";
import { activity } from "./activity.ts";
import { answersByMinute } from "./answers.ts";
import { circumstances } from "./circumstances.ts";
import { failingTraces } from "./failing-traces.ts";
import { failures } from "./failures.ts";
import { lives, releases } from "./lives.ts";
import { measuredQueues, measuredRates } from "./measures.ts";
import type { Ask } from "./query.ts";
import { answeredHosts, spans } from "./spans.ts";
import { spread } from "./spread.ts";
import { vitals } from "./vitals.ts";

/** The telemetry around the failures of one scope. */
export function surroundings(ask: Ask, scope: string): Surroundings {
  return {
    activity: (window) => activity(ask, scope, window),
    spread: (window) => spread(ask, scope, window),
    circumstances: (filter) => circumstances(ask, scope, filter),
    failures: (filter) => failures(ask, scope, filter),
    failingTraces: (filter) => failingTraces(ask, scope, filter),
    releases: (filter) => releases(ask, scope, filter),
    lives: (filter) => lives(ask, scope, filter),
    vitals: (filter) => vitals(ask, scope, filter),
    measuredRates: (filter) => measuredRates(ask, scope, filter),
    measuredQueues: (filter) => measuredQueues(ask, scope, filter),
    spans: (filter) => spans(ask, scope, filter),
    answeredHosts: (span) => answeredHosts(ask, scope, span),
    answers: (filter) => answersByMinute(ask, scope, filter),
  };
}
