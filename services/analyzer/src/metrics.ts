import { notificationChannels } from "@whence/protocol";
import type { Outbox } from "@whence/storage";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The outcome of an attempt at an investigation. Overtaken: a later attempt has the incident, so this report was dropped. */
export type InvestigationOutcome = "completed" | "failed" | "retried" | "overtaken" | "refined" | "unchanged";

/** The kinds of messages in a conversation, sent or not. */
const conversationKinds = [
  ...(["start", "reply", "stop", "answer", "failure", "under-way", "existing", "follow-up", "stopped"] as const),
  ...(["nothing", "state", "acknowledgment", "other-failures"] as const),
];
export type ConversationKind = (typeof conversationKinds)[number];

/** The analyzer's metrics. No label names an organization: there are many, and their names are private. */
export interface AnalyzerMetrics {
  readonly incidents: Counter<"outcome" | "rule">;
  readonly inputsRefused: Counter<"reason">;
  readonly processExits: Counter<"outcome">;
  readonly investigations: Counter<"outcome">;
  readonly unreadableReports: Counter;
  readonly predictions: Counter<"outcome">;
  readonly modelInvestigations: Counter<"outcome">;
  readonly modelQuestions: Counter<"outcome">;
  readonly modelTokens: Counter<"direction">;
  readonly notifications: Counter<"channel" | "outcome">;
  readonly conversationPosts: Counter<"kind" | "outcome">;
  readonly webhooks: Counter<"kind" | "outcome">;
  readonly reportedRuns: Counter<"outcome">;
  readonly investigationsActive: Gauge;
  readonly investigationSeconds: Histogram;
  readonly requests: Counter<"method" | "route" | "status">;
  readonly requestSeconds: Histogram<"method" | "route">;
  readonly streamsOpen: Gauge;
}

/** The outbox gauge stops counting here: beyond it, the exact number no longer matters. */
const outboxCountedMax = 1_000;
const investigationBucketsSeconds = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const requestBucketsSeconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Registers the analyzer's metrics. Call it once for each registry. */
export function analyzerMetrics(registry: Registry, outbox: Pick<Outbox, "pending">): AnalyzerMetrics {
  outboxGauge(registry, outbox);
  const metrics = counters([registry]);
  startAlertedAt0(metrics);
  return metrics;
}

/** Starts what alerts watch at 0: Prometheus sees no increase in a counter that begins with its first failure. */
function startAlertedAt0({ investigations, notifications, conversationPosts }: AnalyzerMetrics): void {
  investigations.inc({ outcome: "failed" }, 0);
  for (const channel of notificationChannels) notifications.inc({ channel, outcome: "given_up" }, 0);
  for (const kind of conversationKinds) conversationPosts.inc({ kind, outcome: "given_up" }, 0);
}

function counters(registers: Registry[]): AnalyzerMetrics {
  return {
    incidents: new Counter({
      name: "whence_incidents_total",
      help: "Decisions about failures and analyses by the rule that decided: opened an incident, joined one, or skipped",
      labelNames: ["outcome", "rule"],
      registers,
    }),
    inputsRefused: new Counter({
      name: "whence_inputs_refused_total",
      help: "Analyses that were rejected for lack of room, by the quota that was used up; disk: the disk reserve was reached",
      labelNames: ["reason"],
      registers,
    }),
    processExits: new Counter({
      name: "whence_process_exits_total",
      help: "Processes that stopped without reporting it, by the kind of exit; held: looks at which the problem was more likely on our side",
      labelNames: ["outcome"],
      registers,
    }),
    investigations: new Counter({
      name: "whence_investigations_total",
      help: "Attempts at investigations by outcome: only completed and failed end an incident; refined and unchanged are later looks at a report",
      labelNames: ["outcome"],
      registers,
    }),
    predictions: new Counter({
      name: "whence_predictions_total",
      help: "Predictions of reports by outcome: upheld, refuted, or undecided when they were due",
      labelNames: ["outcome"],
      registers,
    }),
    notifications: new Counter({
      name: "whence_notifications_total",
      help: "Attempts to send a notification by outcome: sent, retried later, or given up",
      labelNames: ["channel", "outcome"],
      registers,
    }),
    conversationPosts: new Counter({
      name: "whence_conversation_posts_total",
      help: "Attempts to read and answer in conversations, by what was to be said and outcome: posted, retried later, called off, given up, or refused to who asked or would have read it",
      labelNames: ["kind", "outcome"],
      registers,
    }),
    webhooks: new Counter({
      name: "whence_webhooks_total",
      help: "Webhooks that announce failures, by the kind of their sender and outcome: accepted, or refused for a wrong signature; the kind of an unknown address is none",
      labelNames: ["kind", "outcome"],
      registers,
    }),
    reportedRuns: new Counter({
      name: "whence_reported_runs_total",
      help: "Runs of jobs that clients of Sentry's reported by outcome; unknown: no monitor has their name; full, unusable: their monitor could not be made, since the organization has as many as it may or its schedule never comes",
      labelNames: ["outcome"],
      registers,
    }),
    investigationsActive: new Gauge({
      name: "whence_investigations_active",
      help: "Investigations that this process is running",
      registers,
    }),
    investigationSeconds: new Histogram({
      name: "whence_investigation_duration_seconds",
      help: "From taking an incident to its report, completed investigations only",
      buckets: investigationBucketsSeconds,
      registers,
    }),
    ...modelMetrics(registers),
    ...answerMetrics(registers),
  };
}

/** The metrics of language models. */
function modelMetrics(
  registers: Registry[],
): Pick<AnalyzerMetrics, "modelInvestigations" | "modelQuestions" | "modelTokens"> {
  return {
    modelInvestigations: new Counter({
      name: "whence_model_investigations_total",
      help: "Investigations with a language model by outcome; budget_used_up: it was left out since the budget of the day was used up",
      labelNames: ["outcome"],
      registers,
    }),
    modelQuestions: new Counter({
      name: "whence_model_questions_total",
      help: "Questions about reports that a language model was to answer by outcome; budget_used_up and busy: it wasn't asked",
      labelNames: ["outcome"],
      registers,
    }),
    modelTokens: new Counter({
      name: "whence_model_tokens_total",
      help: "Tokens that language models read and wrote, by direction",
      labelNames: ["direction"],
      registers,
    }),
  };
}

/** The metrics of HTTP responses. */
function answerMetrics(
  registers: Registry[],
): Pick<AnalyzerMetrics, "requests" | "requestSeconds" | "streamsOpen" | "unreadableReports"> {
  return {
    requests: new Counter({
      name: "whence_http_requests_total",
      help: "Requests by route pattern and class of status; telemetry is counted by the gateway",
      labelNames: ["method", "route", "status"],
      registers,
    }),
    requestSeconds: new Histogram({
      name: "whence_http_request_duration_seconds",
      help: "From a request's headers to the end of its answer; of a stream, to its end",
      labelNames: ["method", "route"],
      buckets: requestBucketsSeconds,
      registers,
    }),
    streamsOpen: new Gauge({
      name: "whence_incident_streams_open",
      help: "Open streams that follow an investigation",
      registers,
    }),
    unreadableReports: new Counter({
      name: "whence_unreadable_reports_total",
      help: "Answers that showed a stored report as it is, since it doesn't fit its schema",
      registers,
    }),
  };
}

function outboxGauge(registry: Registry, outbox: Pick<Outbox, "pending">): void {
  new Gauge({
    name: "whence_outbox_pending",
    help: `Messages in the outbox that are waiting to be published, ${outboxCountedMax} at most; from all analyzers together`,
    registers: [registry],
    async collect() {
      try {
        this.set((await outbox.pending(outboxCountedMax)).length);
      } catch {
        // Without the database there is no number, and the other metrics must still be shown.
        this.set(Number.NaN);
      }
    },
  });
}
