import {
  type Incident,
  type IncidentStep,
  incidentSchema,
  incidentStepSchema,
  parseJson,
  WhenceError,
} from "@whence/protocol";
import { clientLimits } from "./client-limits.ts";
import { startDeadline } from "./deadline.ts";
import { agentErrors } from "./errors.ts";
import { readEventStream, type StreamMessage } from "./event-stream.ts";
import { explain, type HttpAnswer, type HttpRequest, openRequest } from "./http.ts";
import { pause } from "./pause.ts";
import { backOffMs } from "./retry.ts";

/** A message from a followed investigation. */
export type FollowMessage =
  | { readonly kind: "step"; readonly step: IncidentStep }
  | { readonly kind: "incident"; readonly incident: Incident };

export interface FollowedIncident {
  readonly service: string;
  readonly request: HttpRequest;
  readonly refused: (answer: HttpAnswer) => Error;
}

const tryLaterStatuses = [429, 503];

/** Yields each step once, across reconnections, then the incident; rejects when the connection breaks repeatedly. */
export async function* followIncident(
  followed: FollowedIncident,
  signal?: AbortSignal,
): AsyncGenerator<FollowMessage, void> {
  let seen = 0;
  let failures = 0;
  for (;;) {
    try {
      for await (const message of readOnce(followed, seen, signal)) {
        failures = 0;
        if (message.kind === "step") seen = message.step.seq;
        yield message;
        if (message.kind === "incident") return;
      }
      throw agentErrors.create("WHENCE_ERR_SERVICE_UNREACHABLE", [followed.service, "the stream ended early"]);
    } catch (error) {
      signal?.throwIfAborted();
      failures += 1;
      if (!isPassing(error) || failures >= clientLimits.triesMax) throw error;
    }
    await pause(backOffMs(failures, Math.random()), signal);
  }
}

const passing = new Set(["WHENCE_ERR_SERVICE_UNREACHABLE", "WHENCE_ERR_SERVICE_TIMEOUT"]);

function isPassing(error: unknown): boolean {
  return error instanceof WhenceError && passing.has(error.code);
}

async function* readOnce(
  { service, request, refused }: FollowedIncident,
  seen: number,
  signal?: AbortSignal,
): AsyncGenerator<FollowMessage> {
  const deadline = startDeadline(clientLimits.streamSilenceMaxMs, signal);
  try {
    const headers = { accept: "text/event-stream", ...(seen > 0 ? { "last-event-id": String(seen) } : {}) };
    const response = await openRequest(service, { ...request, headers }, deadline.signal);
    if (tryLaterStatuses.includes(response.status)) {
      await response.body?.cancel();
      throw agentErrors.create("WHENCE_ERR_SERVICE_UNREACHABLE", [service, `status ${response.status}`]);
    }
    if (response.status !== 200) {
      const body: unknown = await response.json().catch(() => null);
      throw refused({ status: response.status, retryAfter: response.headers.get("retry-after"), body });
    }
    for await (const message of readEventStream(observed(response.body ?? [], () => deadline.extend()))) {
      const known = toFollowMessage(service, message);
      if (known) yield known;
    }
  } catch (error) {
    throw explain(service, error, deadline, clientLimits.streamSilenceMaxMs, signal);
  } finally {
    deadline.clear();
  }
}

/** Extends the deadline with each chunk: comments also show that the connection is alive. */
async function* observed(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onChunk();
    yield chunk;
  }
}

/** Returns null for messages that only newer releases know. */
function toFollowMessage(service: string, { event, data }: StreamMessage): FollowMessage | null {
  if (event === "step") {
    const step = incidentStepSchema.safeParse(parseJson(data));
    return step.success ? { kind: "step", step: step.data } : null;
  }
  if (event !== "incident") return null;
  const incident = incidentSchema.safeParse(parseJson(data));
  if (!incident.success)
    throw agentErrors.create("WHENCE_ERR_SERVICE_ANSWER", [service, "an incident of another form"]);
  return { kind: "incident", incident: incident.data };
}
