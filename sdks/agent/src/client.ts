import {
  type AgentStatus,
  type AnalyzeRequest,
  type AnalyzeResponse,
  agentStatusSchema,
  analyzeResponseSchema,
  errorBodySchema,
  type FeedbackAnswer,
  type FeedbackRequest,
  feedbackAnswerSchema,
  httpValidationErrorSchema,
  type Incident,
  type IncidentPage,
  type IncidentSort,
  incidentPageSchema,
  incidentSchema,
  type KeyedMonitor,
  keyedMonitorSchema,
  type LifecycleChange,
  type LifecycleState,
  type Monitor,
  type MonitorChange,
  type MonitorList,
  monitorListSchema,
  monitorSchema,
  type OwnerChange,
  type RegisterResponse,
  type ReleaseList,
  type ReleaseReport,
  type ReportedRelease,
  registerResponseSchema,
  releaseListSchema,
  reportedReleaseSchema,
  type SourceBundleAnswer,
  type SourceBundleRequest,
  type SourceContents,
  type SourceList,
  sourceBundleAnswerSchema,
  sourceContentsAnswerSchema,
  sourceListSchema,
  type ValidationError,
  withoutCredentials,
} from "@whence/protocol";
import { clientLimits } from "./client-limits.ts";
import { agentErrors, ServiceRefusal } from "./errors.ts";
import { type FollowMessage, followIncident } from "./follow.ts";
import { type HttpAnswer, type HttpRequest, sendRequest } from "./http.ts";
import { retryAfterMs, withRetries } from "./retry.ts";
import { defaultServiceUrl, serviceAddress } from "./service-address.ts";

export interface WhenceClientOptions {
  /** @default "http://127.0.0.1:4000" */
  readonly url?: string | undefined;
  /** Sent as `X-API-Key`; only {@link WhenceClient.register} needs none. */
  readonly apiKey?: string | undefined;
  /** Timeout of one attempt, in milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
}

/** What a list of incidents is narrowed by. */
export interface IncidentQuery {
  /** 1 to 100. @default 50 */
  readonly limit?: number | undefined;
  /** The order, the largest or latest first. @default "newest" */
  readonly sort?: IncidentSort | undefined;
  /** The `next` of the page before, in the same order. */
  readonly before?: string | undefined;
  readonly service?: string | undefined;
  readonly env?: string | undefined;
  readonly status?: Incident["status"] | undefined;
  /** What people decided about it. */
  readonly state?: LifecycleState | undefined;
  /** A member's id or email address, or `none`. */
  readonly owner?: string | undefined;
  readonly severity?: Incident["severity"] | undefined;
  readonly trigger?: Incident["trigger"]["kind"] | undefined;
  readonly fingerprint?: string | undefined;
  /** Only those opened from this time on, and only those opened before. RFC 3339, UTC. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Words in the id, the title, the service, or the root cause. */
  readonly search?: string | undefined;
}

/** A parser for a successful body. */
interface Schema<Body> {
  safeParse(value: unknown): { success: true; data: Body } | { success: false };
}

/**
 * The HTTP API of one service. Network errors, 429, and 503 are retried with backoff. Everything else that isn't a
 * success rejects, with a {@link ServiceRefusal} when the service gave a reason.
 */
export class WhenceClient {
  /** Without a trailing slash. */
  readonly url: string;
  readonly #apiKey: string | undefined;
  readonly #timeoutMs: number;

  constructor({
    url = defaultServiceUrl,
    apiKey,
    timeoutMs = clientLimits.requestTimeoutMs,
  }: WhenceClientOptions = {}) {
    this.url = serviceAddress(url);
    this.#apiKey = apiKey;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Starts an analysis, with credentials in its files masked. Resolves as soon as it is queued. After a broken
   * connection, it may have been started twice.
   */
  analyze(request: AnalyzeRequest, signal?: AbortSignal): Promise<AnalyzeResponse> {
    const files = request.files?.map((file) => ({ ...file, content: withoutCredentials(file.content) }));
    const body = { ...request, ...(files ? { files } : {}) };
    return this.#ask({ method: "POST", path: "/api/mcp/analyze", body }, analyzeResponseSchema, signal);
  }

  /** Registers a new agent. Only this answer contains its key and claim token. */
  register(source: string, signal?: AbortSignal): Promise<RegisterResponse> {
    return this.#ask(
      { method: "POST", path: "/api/agents/register", body: { source } },
      registerResponseSchema,
      signal,
    );
  }

  /** Returns the status of the agent that this client's key belongs to. */
  status(signal?: AbortSignal): Promise<AgentStatus> {
    return this.#ask({ method: "GET", path: "/api/agents/status" }, agentStatusSchema, signal);
  }

  incident(id: string, signal?: AbortSignal): Promise<Incident> {
    return this.#ask({ method: "GET", path: incidentPath(id) }, incidentSchema, signal);
  }

  /** Lists incidents without their reports, newest first. The `next` of a page is the `before` of the one after it. */
  incidents(query: IncidentQuery = {}, signal?: AbortSignal): Promise<IncidentPage> {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const search = new URLSearchParams(given).toString();
    const path = search === "" ? "/api/incidents" : `/api/incidents?${search}`;
    return this.#ask({ method: "GET", path }, incidentPageSchema, signal);
  }

  /** Reports whether an incident's report was right; resolves with all feedback on it. */
  feedback(id: string, opinion: FeedbackRequest, signal?: AbortSignal): Promise<FeedbackAnswer> {
    const request = { method: "POST", path: `${incidentPath(id)}/feedback`, body: opinion } as const;
    return this.#ask(request, feedbackAnswerSchema, signal);
  }

  /** Resolves, mutes, ignores, or reopens an incident; resolves with the incident. */
  changeLifecycle(id: string, change: LifecycleChange, signal?: AbortSignal): Promise<Incident> {
    const request = { method: "POST", path: `${incidentPath(id)}/lifecycle`, body: change } as const;
    return this.#ask(request, incidentSchema, signal);
  }

  /** Takes an incident, hands it over, lets it go, or acknowledges it; resolves with the incident. */
  changeOwner(id: string, change: OwnerChange, signal?: AbortSignal): Promise<Incident> {
    const request = { method: "POST", path: `${incidentPath(id)}/owner`, body: change } as const;
    return this.#ask(request, incidentSchema, signal);
  }

  /** Comments on an incident; resolves with the incident. */
  comment(id: string, text: string, signal?: AbortSignal): Promise<Incident> {
    const request = { method: "POST", path: `${incidentPath(id)}/comments`, body: { text } } as const;
    return this.#ask(request, incidentSchema, signal);
  }

  /** Stores the sources of a release, unless contents of its files are missing. */
  putSources(bundle: SourceBundleRequest, signal?: AbortSignal): Promise<SourceBundleAnswer> {
    return this.#ask({ method: "PUT", path: "/api/sources", body: bundle }, sourceBundleAnswerSchema, signal);
  }

  /** Stores contents of source files for any release. */
  addSourceContents(contents: SourceContents, signal?: AbortSignal): Promise<{ stored: number }> {
    const request = { method: "POST", path: "/api/sources/contents", body: contents } as const;
    return this.#ask(request, sourceContentsAnswerSchema, signal);
  }

  /** Lists the releases whose sources are stored. */
  sources(signal?: AbortSignal): Promise<SourceList> {
    return this.#ask({ method: "GET", path: "/api/sources" }, sourceListSchema, signal);
  }

  /** Reports that a release went live. */
  reportRelease(release: ReleaseReport, signal?: AbortSignal): Promise<ReportedRelease> {
    return this.#ask({ method: "POST", path: "/api/releases", body: release }, reportedReleaseSchema, signal);
  }

  /** Lists the releases that were reported as live. */
  releases(signal?: AbortSignal): Promise<ReleaseList> {
    return this.#ask({ method: "GET", path: "/api/releases" }, releaseListSchema, signal);
  }

  /** Lists monitors, the oldest first. */
  monitors(signal?: AbortSignal): Promise<MonitorList> {
    return this.#ask({ method: "GET", path: "/api/monitors" }, monitorListSchema, signal);
  }

  /** Adds a monitor. Only this answer contains the key of its check-ins. After a broken connection, there may be two. */
  addMonitor(monitor: MonitorChange, signal?: AbortSignal): Promise<KeyedMonitor> {
    return this.#ask({ method: "POST", path: "/api/monitors", body: monitor }, keyedMonitorSchema, signal);
  }

  /** Pauses a monitor, or checks it again. */
  switchMonitor(id: string, action: "pause" | "resume", signal?: AbortSignal): Promise<Monitor> {
    return this.#ask({ method: "POST", path: `${monitorPath(id)}/${action}` }, monitorSchema, signal);
  }

  /** Removes a monitor with its results. */
  removeMonitor(id: string, signal?: AbortSignal): Promise<{ id: string }> {
    return this.#ask({ method: "DELETE", path: monitorPath(id) }, monitorSchema.pick({ id: true }), signal);
  }

  /** Yields the steps of an investigation, starting with past ones, then the finished incident. */
  follow(id: string, signal?: AbortSignal): AsyncGenerator<FollowMessage> {
    const request: HttpRequest = { method: "GET", path: `${incidentPath(id)}/events`, apiKey: this.#apiKey };
    return followIncident({ service: this.url, request, refused: (answer) => refusal(this.url, answer) }, signal);
  }

  async #ask<Body>(request: HttpRequest, schema: Schema<Body>, signal?: AbortSignal): Promise<Body> {
    const withKey = { ...request, apiKey: this.#apiKey };
    const send = (): Promise<HttpAnswer> => sendRequest(this.url, withKey, this.#timeoutMs, signal);
    const answer = await withRetries(send, signal);
    if (answer.status !== 200) throw refusal(this.url, answer);
    const parsed = schema.safeParse(answer.body);
    if (!parsed.success)
      throw agentErrors.create("WHENCE_ERR_SERVICE_ANSWER", [this.url, "something else than JSON of its own"]);
    return parsed.data;
  }
}

function incidentPath(id: string): string {
  return `/api/incidents/${encodeURIComponent(id)}`;
}

function monitorPath(id: string): string {
  return `/api/monitors/${encodeURIComponent(id)}`;
}

function refusal(service: string, { status, body, retryAfter }: HttpAnswer): Error {
  const seconds = Math.ceil(retryAfterMs(retryAfter, Date.now()) / 1_000);
  const retryAfterSeconds = seconds > 0 ? seconds : null;
  const said = errorBodySchema.safeParse(body);
  if (said.success) return new ServiceRefusal(said.data.code, status, said.data.detail, { retryAfterSeconds });
  const invalid = status === 422 ? httpValidationErrorSchema.safeParse(body) : undefined;
  if (invalid?.success) return violated(invalid.data.detail ?? []);
  return agentErrors.create("WHENCE_ERR_SERVICE_ANSWER", [service, `status ${status}`]);
}

function violated(violations: readonly ValidationError[]): Error {
  const said = violations.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
  const { code, status, message } = agentErrors.create("WHENCE_ERR_REQUEST_INVALID", [said]);
  return new ServiceRefusal(code, status, message, { violations });
}
