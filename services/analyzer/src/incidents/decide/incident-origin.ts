import type { Actor, ProcessExit } from "@whence/protocol";
import type { AgentAllowance, InputRoom, NewIncident } from "@whence/storage";
import type { FailureGroup } from "./failure-group.ts";

/** What an incident may open for, with the details that it stores. */
type Origin = OccurrencesOrigin | SplitOffOrigin | AnalysisOrigin;

/** Failures seen in telemetry, which may also join an incident or be skipped. */
export type OccurrencesOrigin = FailureOrigin | ExitOrigin;

/** Occurrences of a failure that a client reported. */
export interface FailureOrigin {
  readonly kind: "failure";
  readonly group: FailureGroup;
}

/** Processes that stopped sending heartbeats or hang, as a failure of their services. */
export interface ExitOrigin {
  readonly kind: "process-exit";
  readonly group: FailureGroup;
  readonly exit: ProcessExit;
  /** Why the exit opens nothing; null when it is decided like any other failure. */
  readonly skip: { readonly rule: string; readonly reason: string } | null;
}

/** A failure that a member takes out of the incident it joined. */
export interface SplitOffOrigin {
  readonly kind: "split-off";
  readonly incidentId: string;
  readonly fingerprint: string;
  readonly event: { readonly id: string; readonly mechanism: string; readonly handled: boolean };
  readonly by: Actor;
}

/** A text that someone sent for analysis. */
export interface AnalysisOrigin {
  readonly kind: "analysis";
  readonly asked: { readonly title: string; readonly input: Extract<NewIncident["input"], { kind: "packed-text" }> };
  /** Null for a member and for an organization's key. */
  readonly agentId: string | null;
  /** Null for a member. */
  readonly keyId: string | null;
  readonly allowance: AgentAllowance;
  readonly room: InputRoom;
}

/** The trigger that the incident names, and the input of its investigation. */
export function startOf(origin: Exclude<Origin, AnalysisOrigin>): Pick<NewIncident, "trigger" | "input"> {
  switch (origin.kind) {
    case "failure": {
      const { event_id: id, mechanism, handled } = origin.group.worst;
      return startOfEvent({ id, mechanism, handled });
    }
    case "split-off":
      return startOfEvent(origin.event);
    case "process-exit": {
      const { exit } = origin;
      const instances = exit.processes.map(({ instance }) => instance);
      return { trigger: { kind: "process-exit", exit: exit.kind, instances }, input: { kind: "process-exit", exit } };
    }
  }
}

function startOfEvent({ id, mechanism, handled }: SplitOffOrigin["event"]): Pick<NewIncident, "trigger" | "input"> {
  return {
    trigger: { kind: "event", event_id: id, mechanism, handled },
    input: { kind: "event", eventId: id },
  };
}
