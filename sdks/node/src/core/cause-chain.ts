import { limits } from "@whence/protocol/limits";
import { redactedValue } from "@whence/protocol/redaction";
import { isError } from "../runtime/is-error.ts";
import { toJson } from "../runtime/json.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { detach, trimText } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { boundedData, ownKeys, readItems } from "./bounded-data.ts";
import { type CallVariables, variablesOf } from "./local-variables.ts";
import { defaultRedaction, type FieldRules, type Redaction } from "./redact.ts";
import { parseStack, type Stack } from "./stack.ts";

/** One link of a cause chain, as queued. */
export interface Thrown {
  readonly type: string;
  readonly message: string;
  /** For a cause, see {@link PrintedLater}. */
  readonly stack: Stack;
  /** Whether the stack has been printed. */
  readonly isPrinted: boolean;
  readonly properties: Readonly<Record<string, unknown>> | undefined;
  /** The local variables of its calls, if recorded. */
  readonly variables?: readonly CallVariables[] | undefined;
  /** Index in the chain of the error that this one caused or that aggregates it. */
  readonly parent: number | undefined;
}

/** The type and the stack of a thrown value that isn't an error. */
export const nonErrorType = "NonError";
export const noStack: Stack = { header: "", calls: { text: "", frames: [] } };
/** Properties that have their own field in an exception. */
const spokenFor = new Set(["name", "message", "stack", "cause", "errors"]);
/** Properties in which libraries older than `cause` keep the cause. */
const olderCauses = ["originalError", "original"];

/** The state of following a chain. */
interface Chain {
  readonly links: Thrown[];
  readonly seen: Set<unknown>;
  readonly redaction: Redaction;
  /**
   * Whether a cause keeps more alive than its event records, such as a body, a connection, or a thousand more errors.
   */
  holdsMore: boolean;
  /** Whether some causes don't fit; which ones is decided once. */
  isTooLong: boolean;
}

/**
 * Returns the thrown value, then its causes, outermost first. The members of an AggregateError and the two errors of a
 * SuppressedError follow it. At most {@link limits.exceptionsMax}: the first and the innermost causes of a longer
 * chain. A cycle ends where it closes. Own properties are selected and redacted by `redaction`. Never throws.
 */
export function causeChain(value: unknown, redaction: Redaction = defaultRedaction): Thrown[] {
  const chain: Chain = { links: [], seen: new Set(), redaction, holdsMore: false, isTooLong: false };
  follow(value, undefined, chain);
  if (chain.holdsMore) printStacks(chain.links);
  return chain.links;
}

/** Prints the stacks that haven't been printed, after which the errors are no longer kept alive. */
export function printStacks(thrown: readonly Thrown[]): void {
  for (const one of thrown) void one.stack;
}

function follow(value: unknown, parent: number | undefined, chain: Chain): void {
  const { links, seen } = chain;
  if (isObject(value) && seen.has(value)) return;
  if (links.length >= limits.exceptionsMax) {
    chain.holdsMore = true;
    return;
  }
  seen.add(value);
  const thrown = describe(value, parent, chain);
  const index = links.push(thrown) - 1;
  if (!isErrorLike(value)) return;
  const errors = readProperty(value, "errors");
  const members = readItems(errors);
  if (errors !== undefined && !members) chain.holdsMore = true;
  for (const member of members ?? []) follow(member, index, chain);
  if (thrown.type === "SuppressedError") {
    follow(readProperty(value, "error"), index, chain);
    follow(readProperty(value, "suppressed"), index, chain);
  }
  const cause = causeOf(value);
  if (cause !== undefined) follow(nearRoot(cause, chain), index, chain);
}

/**
 * Returns where to continue in a chain that is too long: the innermost causes say what went wrong, and those in between
 * only passed it on.
 */
function nearRoot(cause: unknown, chain: Chain): unknown {
  if (chain.isTooLong) return cause;
  const room = limits.exceptionsMax - chain.links.length;
  const line = [cause];
  const seen = new Set(line);
  for (let next = cause; line.length < sdkLimits.causesFollowedMax; line.push(next)) {
    next = isErrorLike(next) ? causeOf(next) : undefined;
    if (next === undefined || seen.has(next) || chain.seen.has(next)) break;
    seen.add(next);
  }
  if (room <= 0 || line.length <= room) return cause;
  chain.isTooLong = true;
  chain.holdsMore = true;
  // An endless chain has no innermost cause.
  if (line.length === sdkLimits.causesFollowedMax) return cause;
  return line[line.length - room];
}

/** Returns an error's cause, including GraphQL's and Sequelize's own names for it. */
function causeOf(error: object): unknown {
  const cause = readProperty(error, "cause");
  // Old error classes have a method with this name; got sets an empty object when there is no cause.
  if (cause !== undefined && typeof cause !== "function" && !isEmpty(cause)) return cause;
  return olderCauses.map((name) => readProperty(error, name)).find(isErrorLike);
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && !isErrorLike(value) && preview(value) === "{}";
}

function describe(value: unknown, parent: number | undefined, chain: Chain): Thrown {
  if (!isErrorLike(value)) return describeNonError(value, parent, chain);
  const name = asText(readProperty(value, "name"));
  const said = readProperty(value, "message");
  const message = asText(said);
  const title = titleOf(name, message);
  const own = {
    type: typeOf(value, name),
    message: trimText(message, limits.messageLengthMax),
    properties: propertiesOf(value, parent, chain),
    variables: variablesOf(value),
  };
  if (parent === undefined) return { ...own, stack: parsed(stackOf(value), title), isPrinted: true, parent };
  if (!isSmall(said, limits.messageLengthMax)) chain.holdsMore = true;
  return new PrintedLater(own, parent, value, title);
}

/**
 * Describes a value that isn't an error. Inside an error, an object is often a whole row, or a driver's state of its
 * servers: only its name, its message, and the properties allowed for errors are reported.
 */
function describeNonError(value: unknown, parent: number | undefined, chain: Chain): Thrown {
  if (!isSmall(value, limits.messageLengthMax)) chain.holdsMore = true;
  const common = { type: nonErrorType, stack: noStack, isPrinted: true, parent };
  if (parent === undefined || !isObject(value) || typeof value === "function")
    return { ...common, message: preview(value, chain.redaction.named), properties: undefined };
  const message = trimText(wordsFor(value), limits.messageLengthMax);
  return { ...common, message, properties: propertiesOf(value, parent, chain) };
}

function wordsFor(value: object): string {
  const className = classOf(value);
  const name = asText(readProperty(value, "name")) || (className === "Object" ? "" : className);
  const message = asText(readProperty(value, "message"));
  if (message !== "") return name === "" ? message : titleOf(name, message);
  return name === "" ? "an object" : `an instance of ${name}`;
}

/**
 * A cause whose stack is printed on demand, since V8 takes about as long for each as for the rest of a capture. Until
 * then it keeps the error alive, with memory that can't be counted, so a chain that {@link Chain.holdsMore} is printed
 * at once.
 */
class PrintedLater implements Thrown {
  readonly type: string;
  readonly message: string;
  readonly properties: Thrown["properties"];
  readonly variables: Thrown["variables"];
  readonly parent: number;
  #unprinted: { readonly error: object; readonly title: string } | undefined;
  #stack: Stack = noStack;

  constructor(
    { type, message, properties, variables }: Pick<Thrown, "type" | "message" | "properties" | "variables">,
    parent: number,
    error: object,
    title: string,
  ) {
    this.type = type;
    this.message = message;
    this.properties = properties;
    this.variables = variables;
    this.parent = parent;
    this.#unprinted = { error, title };
  }

  get stack(): Stack {
    const unprinted = this.#unprinted;
    if (unprinted) {
      this.#unprinted = undefined;
      this.#stack = stackAsOf(unprinted.error, unprinted.title);
    }
    return this.#stack;
  }

  get isPrinted(): boolean {
    return this.#unprinted === undefined;
  }
}

/** Returns the text that V8 puts before the calls. */
function titleOf(name: string, message: string): string {
  return message === "" ? name : `${name}: ${message}`;
}

/** Returns the stack as printed under `title`: V8 uses the message that an error has when its stack is first read. */
function stackAsOf(error: object, title: string): Stack {
  const stack = stackOf(error);
  if (stack.startsWith(`${title}\n`)) return parsed(stack, title);
  const name = asText(readProperty(error, "name"));
  const message = asText(readProperty(error, "message"));
  // Tools that print stacks instead of V8 add the colon even without a message.
  const printed = [titleOf(name, message), `${name}: ${message}`].find((header) => stack.startsWith(`${header}\n`));
  return parsed(printed === undefined ? stack : title + stack.slice(printed.length), title);
}

function parsed(stack: string, title: string): Stack {
  return stack === "" ? noStack : parseStack(stack, title);
}

/**
 * Returns the printed stack. The program's own `Error.prepareStackTrace` may have replaced it with a list of call
 * sites.
 */
export function stackOf(error: object): string {
  const stack = readProperty(error, "stack");
  return (
    readItems(stack)
      ?.map((site) => `\n    at ${callOf(site)}`)
      .join("") ?? asText(stack)
  );
}

function callOf(site: unknown): string {
  try {
    return String(site);
  } catch {
    // A call that can't be converted to text is left out.
    return "<anonymous>";
  }
}

/** Whether a value is an error, or looks like one. */
export function isErrorLike(value: unknown): value is object {
  if (!isObject(value)) return false;
  if (isError(value)) return true;
  return typeof readProperty(value, "message") === "string" && typeof readProperty(value, "stack") === "string";
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Returns the error's name, or the name of its class when the class didn't set one. */
function typeOf(error: object, name: string): string {
  const className = classOf(error);
  const chosen = (name === "" || name === "Error") && className !== "" && className !== "Object" ? className : name;
  return trimText(chosen === "" ? "Error" : chosen, limits.textLengthMax);
}

/** Returns an error's own scalar properties that are reported, such as `code`, redacted by name. */
function propertiesOf(error: object, parent: number | undefined, chain: Chain): Record<string, unknown> | undefined {
  const { named, isErrorField } = chain.redaction;
  let properties: Record<string, unknown> | undefined;
  const keys = ownKeys(error);
  // The error itself isn't kept alive: only its causes are printed later.
  const isKept = parent !== undefined;
  if (isKept && keys.length === sdkLimits.propertiesMax) chain.holdsMore = true;
  for (const key of keys) {
    if (spokenFor.has(key)) continue;
    const value = readProperty(error, key);
    const isRedacted = named.ruleOf(key) !== undefined;
    const isReported = isRedacted || isErrorField(error, key);
    if (isKept && !isSmall(value, isReported ? limits.textLengthMax : 0)) chain.holdsMore = true;
    if (!isReported || !isScalar(value)) continue;
    // Without a prototype, a key named __proto__ is a key like any other.
    properties ??= Object.create(null) as Record<string, unknown>;
    properties[trimText(key, limits.textLengthMax)] = isRedacted
      ? redactedValue
      : boundedData(value, limits.textLengthMax).data;
  }
  return properties;
}

function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean", "bigint"].includes(typeof value);
}

/** Whether an event records a value completely, so that keeping it takes no more memory than is counted. */
function isSmall(value: unknown, charactersMax: number): boolean {
  return typeof value === "string" ? value.length <= charactersMax : !isObject(value);
}

/** Returns any value as text, without running its code; the fields of an object are redacted by `rules`. */
export function preview(value: unknown, rules?: FieldRules): string {
  if (typeof value === "string") return detach(trimText(value, limits.messageLengthMax));
  if (typeof value === "function") return "a function";
  if (!isObject(value)) return String(value);
  const { data } = boundedData(value, sdkLimits.breadcrumbCharactersMax, rules);
  const json = toJson(data) ?? typeof value;
  // A Response, an Event, or a Map, for example: their content isn't in their fields.
  return json === "{}" ? emptyOf(value) : trimText(json, limits.messageLengthMax);
}

function emptyOf(value: object): string {
  const className = classOf(value);
  return className === "" || className === "Object" ? "{}" : trimText(`{} of ${className}`, limits.messageLengthMax);
}

/** Returns the name of a value's class. */
export function classOf(value: object): string {
  return asText(readProperty(readProperty(value, "constructor"), "name"));
}
