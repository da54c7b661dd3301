import { isNativeError } from "node:util/types";
import { limits } from "@whence/protocol/limits";
import { attachment } from "../runtime/attachment.ts";
import { isFatal, type WhenceEvent } from "./event.ts";
import type { Stack } from "./stack.ts";

/** An error that has an event, as it was told first. */
interface Told {
  readonly eventId: string;
  /** Whether a logger told it. */
  readonly isLogged: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface ToldStack extends Told {
  readonly stack: Stack;
  /** Whether it was told by the error itself, not by what was printed or serialized of it. */
  readonly isItself: boolean;
}

/** Stacks that are compared with what is printed next. */
const stacksMax = 20;
/** A failure is logged and captured in the same breath; later the same words tell of another one. */
const sameBreathMs: number = limits.flushIntervalMs;

/**
 * Errors that have an event already, so that one that is logged and then rethrown, captured, or logged again is one
 * event. Known by the error itself, or, for what was logged as text, by its printed stack. Two errors that were
 * thrown at one place are two.
 */
export class RecentErrors {
  readonly #supersede: (eventId: string, event: WhenceEvent) => boolean;
  readonly #byError = attachment<Told>();
  readonly #stacks: ToldStack[] = [];

  /** `supersede` puts an event in the place of one that still waits; false when that is gone. */
  constructor(supersede: (eventId: string, event: WhenceEvent) => boolean) {
    this.#supersede = supersede;
  }

  /**
   * The id of the event that stands for this one, which is then not to be sent; undefined when there is none. What was
   * only logged gives its place to what was captured; a crash is told even when that place is gone.
   */
  tell(event: WhenceEvent, error: unknown): string | undefined {
    const stack = event.thrown?.[0]?.stack;
    if (stack === undefined) return undefined;
    const isLogged = event.type === "log";
    const at = event.timestamp;
    const told = this.#find(error, stack, at);
    const eventId = told && this.#standsFor(told, event, isLogged) ? told.eventId : undefined;
    if (eventId === undefined || !isLogged) {
      this.#remember(error, stack, { eventId: eventId ?? event.id, isLogged, at });
    }
    return eventId;
  }

  #standsFor(told: Told, event: WhenceEvent, isLogged: boolean): boolean {
    if (isLogged) return true;
    if (!told.isLogged) return false;
    const index = this.#stacks.findIndex(({ eventId }) => eventId === told.eventId);
    if (index !== -1) this.#stacks.splice(index, 1);
    return this.#supersede(told.eventId, event) || !isFatal(event);
  }

  #find(error: unknown, stack: Stack, now: number): Told | undefined {
    // Either way: a clock that was set back must not make everything recent for hours.
    const isRecent = ({ at }: Told): boolean => Math.abs(now - at) <= sameBreathMs;
    const known = isObject(error) ? this.#byError.of(error) : undefined;
    if (known && isRecent(known)) return known;
    if (stack.calls.text === "") return undefined;
    const isItself = isNativeError(error);
    return this.#stacks.findLast(
      (told) =>
        isRecent(told) &&
        !(isItself && told.isItself) &&
        told.stack.calls.text === stack.calls.text &&
        told.stack.header === stack.header,
    );
  }

  #remember(error: unknown, stack: Stack, told: Told): void {
    if (isObject(error)) this.#byError.to(error, told);
    if (stack.calls.text === "") return;
    if (this.#stacks.length === stacksMax) this.#stacks.shift();
    this.#stacks.push({ ...told, stack, isItself: isNativeError(error) });
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
