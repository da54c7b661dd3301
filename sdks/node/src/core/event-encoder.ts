import type { TelemetryEvent } from "@whence/protocol";
import type { OnInternalError } from "../runtime/guard.ts";
import type { SourceContexts } from "../source/source-context.ts";
import { askBeforeSend, isLifecycleEvent, withoutData } from "./before-send.ts";
import type { NumberedEvent } from "./event.ts";
import type { EventRules } from "./event-rules.ts";
import type { LogMute } from "./log-mute.ts";
import type { BeforeSend } from "./outgoing-event.ts";
import type { Redaction } from "./redact.ts";
import { redactionLog } from "./redaction-log.ts";
import { encodeEvent } from "./trim-event.ts";
import { bareEvent, toWireEvent } from "./wire-event.ts";

export interface EventEncoderParts {
  readonly sources: SourceContexts;
  readonly redaction: Redaction;
  readonly rules: Pick<EventRules, "beforeSend">;
  readonly logMute: LogMute;
  readonly onInternalError: OnInternalError;
}

/** Encodes every event that is sent or spooled: redacted, approved by `beforeSend`, and trimmed. */
export class EventEncoder {
  readonly #parts: EventEncoderParts;
  /** Results of `beforeSend` for queued events: it is called once, however often an event is sent. */
  readonly #settled = new WeakMap<NumberedEvent, string | null>();

  constructor(parts: EventEncoderParts) {
    this.#parts = parts;
  }

  /** Returns the event as JSON, with the source around its frames if `withSource`; null when `beforeSend` drops it. */
  encode(event: NumberedEvent, withSource: boolean): string | null {
    const known = this.#settled.get(event);
    if (known !== undefined) return known;
    try {
      return this.#encode(event, withSource);
    } catch (error) {
      // An event that can't be encoded must not block the ones behind it.
      this.#parts.onInternalError(error);
      return encodeEvent(withoutData(bareEvent(event)));
    }
  }

  #encode(event: NumberedEvent, withSource: boolean): string | null {
    const { sources, rules, logMute } = this.#parts;
    const hook = rules.beforeSend;
    const beforeSend: BeforeSend | undefined = hook && ((shown) => logMute.during(() => hook(shown)));
    const wire = toWireEvent(event, sources, withSource);
    const isShown = !isLifecycleEvent(event) || wire.breadcrumbs !== undefined;
    if (beforeSend === undefined || !isShown) return encodeEvent(this.#withRedactionLog(wire));
    const settled = isLifecycleEvent(event) ? this.#askAboutTrail(beforeSend, wire) : this.#ask(beforeSend, wire);
    if (settled === null) sources.lost(event.seq);
    this.#settled.set(event, settled);
    return settled;
  }

  #ask(beforeSend: BeforeSend, wire: TelemetryEvent): string | null {
    try {
      const answer = askBeforeSend(beforeSend, this.#copyOf(wire));
      return answer && encodeEvent(this.#withRedactionLog(answer));
    } catch (error) {
      // Most hooks remove secrets: data that the hook didn't process isn't sent.
      this.#parts.onInternalError(error);
      return encodeEvent(withoutData(wire));
    }
  }

  /**
   * `beforeSend` can drop only a heartbeat's breadcrumbs: without heartbeats, the service would consider the process
   * dead.
   */
  #askAboutTrail(beforeSend: BeforeSend, wire: TelemetryEvent): string {
    const { breadcrumbs: _shown, ...lifecycle } = wire;
    try {
      const breadcrumbs = askBeforeSend(beforeSend, this.#copyOf(wire))?.breadcrumbs;
      return encodeEvent(this.#withRedactionLog({ ...lifecycle, breadcrumbs }));
    } catch (error) {
      this.#parts.onInternalError(error);
      return encodeEvent(this.#withRedactionLog(lifecycle));
    }
  }

  /** Copies the trimmed event: the hook may change all of it, and events share frames and breadcrumbs. */
  #copyOf(wire: TelemetryEvent): TelemetryEvent {
    return JSON.parse(encodeEvent(this.#withRedactionLog(wire)));
  }

  #withRedactionLog(event: TelemetryEvent): TelemetryEvent {
    const redactions = redactionLog(event, this.#parts.redaction);
    if (redactions.length === 0 && event.redactions === undefined) return event;
    return { ...event, redactions: redactions.length > 0 ? redactions : undefined };
  }
}
