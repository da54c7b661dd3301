import type { Breadcrumb, TelemetryEvent } from "@whence/protocol";
import type { OutgoingCall } from "../signals/inputs/call.ts";

/** What an event contains besides its exceptions. */
export interface EventFacts {
  readonly id: string;
  readonly at: string;
  readonly service: string;
  readonly env: string;
  readonly release: string;
  readonly host: string;
  readonly instance: string;
  readonly mechanism: TelemetryEvent["mechanism"];
  readonly type: TelemetryEvent["type"];
  readonly breadcrumbs: readonly Breadcrumb[];
  readonly calls: readonly OutgoingCall[];
  readonly request: TelemetryEvent["request"];
  readonly trace: TelemetryEvent["trace"];
  /** The environment variables that were set in the process; null when the client didn't say. */
  readonly variables: ReadonlySet<string> | null;
}
