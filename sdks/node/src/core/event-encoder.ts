import { isPromise } from "node:util/types";
import type { TelemetryEvent } from "@whence/protocol";
import { redactedValue } from "@whence/protocol/redaction";
import type { OnInternalError } from "../runtime/guard.ts";
import { toJson } from "../runtime/json.ts";
import { nativeTimers } from "../runtime/native-timers.ts";
import * as sdkLimits from "../sdk-limits.ts";
import type { SourceContexts } from "../source/source-context.ts";
import { askBeforeSend, isLifecycleEvent, type MaybeLater, withoutData } from "./before-send.ts";
import type { NumberedEvent } from "./event.ts";
import type { EventRules } from "./event-rules.ts";
import type { LogMute } from "./log-mute.ts";
import type { BeforeSend } from "./outgoing-event.ts";
import type { Redaction } from "./redact.ts";
import { redactionLog } from "./redaction-log.ts";
import { encodeEvent } from "./trim-event.ts";
import { bareEvent, toWireEvent } from "./wire-event.ts";

export interface EventEncoderParts {
  readonly apiKey: string;
  readonly sources: SourceContexts;
  readonly redaction: Redaction;
  readonly rules: Pick<EventRules, "beforeSend">;
  readonly logMute: LogMute;
  readonly onInternalError: OnInternalError;
}

/** Encodes every event that is sent or spooled: redacted, approved by `beforeSend`, and trimmed. */
export class EventEncoder {
  readonly #parts: EventEncoderParts;
  /** The client's own key as JSON has it inside a text; undefined for one that may be a word. */
  readonly #key: string | undefined;
  /** Results of `beforeSend` for queued events: it is called once per event, even when an event is sent again. */
  readonly #settled = new WeakMap<NumberedEvent, string | null>();
  /** Calls of an async `beforeSend` that haven't been answered, or not in time. */
  readonly #pending = new WeakMap<NumberedEvent, Promise<void>>();

  constructor(parts: EventEncoderParts) {
    this.#parts = parts;
    if (parts.apiKey.length >= sdkLimits.apiKeyLengthMin) this.#key = toJson(parts.apiKey)?.slice(1, -1);
  }

  /**
   * Returns the event as JSON without the client's own key, with the source around its frames if `withSource`; null when
   * `beforeSend` drops it. An event with an async hook that {@link approve} hasn't waited for is returned without its
   * data.
   */
  encode(event: NumberedEvent, withSource: boolean): string | null {
    const json = this.#jsonOf(event, withSource);
    return json === null || this.#key === undefined ? json : json.replaceAll(this.#key, redactedValue);
  }

  #jsonOf(event: NumberedEvent, withSource: boolean): string | null {
    const known = this.#settled.get(event);
    if (known !== undefined) return known;
    const json = this.#pending.has(event) ? undefined : this.#tryEncode(event, withSource);
    return json === undefined || isPromise(json) ? withheld(event) : json;
  }

  /**
   * Waits for an async `beforeSend`, at most {@link sdkLimits.beforeSendWaitMs}; undefined when there is nothing to
   * wait for.
   */
  approve(event: NumberedEvent, withSource: boolean): Promise<void> | undefined {
    if (this.#parts.rules.beforeSend === undefined || this.#settled.has(event)) return undefined;
    const pending = this.#pending.get(event);
    if (pending !== undefined) return pending;
    const json = this.#tryEncode(event, withSource);
    if (!isPromise(json)) return undefined;
    const waiting = this.#waitFor(json, event);
    this.#pending.set(event, waiting);
    return waiting;
  }

  async #waitFor(answer: Promise<unknown>, event: NumberedEvent): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      // Unreferenced: the answer may never come, and must not keep the process alive.
      timer = nativeTimers.setTimeout(resolve, sdkLimits.beforeSendWaitMs).unref();
    });
    await Promise.race([answer, deadline]);
    nativeTimers.clearTimeout(timer);
    if (this.#settled.has(event)) return;
    this.#parts.onInternalError(new Error("beforeSend didn't answer in time"));
    this.#settle(event, isLifecycleEvent(event) ? withheld(event) : null);
  }

  #tryEncode(event: NumberedEvent, withSource: boolean): MaybeLater<string | null> {
    try {
      return this.#encode(event, withSource);
    } catch (error) {
      // An event that can't be encoded must not block the ones behind it.
      this.#parts.onInternalError(error);
      return withheld(event);
    }
  }

  #encode(event: NumberedEvent, withSource: boolean): MaybeLater<string | null> {
    const { sources, rules, logMute } = this.#parts;
    const hook = rules.beforeSend;
    const wire = toWireEvent(event, sources, withSource);
    const isShown = !isLifecycleEvent(event) || wire.breadcrumbs !== undefined;
    if (hook === undefined || !isShown) return encodeEvent(this.#withRedactionLog(wire));
    const beforeSend: BeforeSend = (shown) => logMute.throughout(() => hook(shown));
    const json = isLifecycleEvent(event) ? this.#askAboutTrail(beforeSend, wire) : this.#ask(beforeSend, wire);
    return isPromise(json) ? json.then((settled) => this.#settle(event, settled)) : this.#settle(event, json);
  }

  /** Keeps the first result; an answer after the deadline is ignored. */
  #settle(event: NumberedEvent, json: string | null): string | null {
    const known = this.#settled.get(event);
    if (known !== undefined) return known;
    if (json === null) this.#parts.sources.lost(event.seq);
    this.#settled.set(event, json);
    return json;
  }

  #ask(beforeSend: BeforeSend, wire: TelemetryEvent): MaybeLater<string | null> {
    const encoded = (answer: TelemetryEvent | null): string | null =>
      answer && encodeEvent(this.#withRedactionLog(answer));
    // Most hooks remove secrets, so data that the hook didn't process isn't sent.
    return this.#askFor(beforeSend, wire, encoded, () => encodeEvent(withoutData(wire)));
  }

  /**
   * Asks about a heartbeat's breadcrumbs, the only part that `beforeSend` can drop: without heartbeats, the service
   * would consider the process dead.
   */
  #askAboutTrail(beforeSend: BeforeSend, wire: TelemetryEvent): MaybeLater<string | null> {
    const { breadcrumbs: _shown, ...lifecycle } = wire;
    const encoded = (answer: TelemetryEvent | null): string =>
      encodeEvent(this.#withRedactionLog({ ...lifecycle, breadcrumbs: answer?.breadcrumbs }));
    return this.#askFor(beforeSend, wire, encoded, () => encodeEvent(this.#withRedactionLog(lifecycle)));
  }

  #askFor(
    beforeSend: BeforeSend,
    wire: TelemetryEvent,
    encoded: (answer: TelemetryEvent | null) => string | null,
    failed: () => string,
  ): MaybeLater<string | null> {
    const fail = (error: unknown): string => {
      this.#parts.onInternalError(error);
      return failed();
    };
    try {
      const answer = askBeforeSend(beforeSend, this.#copyOf(wire));
      return isPromise(answer) ? answer.then(encoded).catch(fail) : encoded(answer);
    } catch (error) {
      return fail(error);
    }
  }

  /** Returns a copy of the trimmed event: the hook may change it, and events share frames and breadcrumbs. */
  #copyOf(wire: TelemetryEvent): TelemetryEvent {
    return JSON.parse(encodeEvent(this.#withRedactionLog(wire)));
  }

  #withRedactionLog(event: TelemetryEvent): TelemetryEvent {
    const redactions = redactionLog(event, this.#parts.redaction);
    if (redactions.length === 0 && event.redactions === undefined) return event;
    return { ...event, redactions: redactions.length > 0 ? redactions : undefined };
  }
}

/** Returns the event without anything that the hook might have removed. */
function withheld(event: NumberedEvent): string {
  return encodeEvent(withoutData(bareEvent(event)));
}
