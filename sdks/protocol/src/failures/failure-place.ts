import { filePlace, isInstalled, isInstrumentation, isRuntime } from "../reports/file-place.ts";
import { isMinified } from "../telemetry/minified.ts";
import { type PrintedCall, printedCalls } from "../telemetry/printed-stack.ts";
import type { Exception, Frame } from "../telemetry/telemetry.ts";

/** The number of calls that take part; deeper ones differ by caller, not by failure. */
const callsConsidered = 5;

/** Where an error was thrown. */
export interface FailurePlace {
  /** The innermost calls of the service's own code, each once, as `file function`. */
  readonly calls: readonly string[];
  /** How many of `calls` still have their original name. */
  readonly named: number;
}

/** Returns where an error was thrown, in a form that survives a new build. Empty when the stack doesn't say. */
export function placeOf({ frames = [], stack }: Exception): FailurePlace {
  const calls = frames.length > 0 ? frames.map(toCall) : printedCalls(stack);
  const own = innermost(calls, (call, { isLibrary }) => call.isOwn ?? !isLibrary);
  const chosen = own.length > 0 ? own : innermost(calls, () => true);
  return { calls: chosen.map(({ text }) => text), named: chosen.filter(({ isNamed }) => isNamed).length };
}

function toCall({ file = "", function: name = "", in_app: isOwn }: Frame): PrintedCall {
  return { file, name, ...(isOwn === undefined ? {} : { isOwn }) };
}

/** Returns the first wanted calls, each place once: recursion repeats places at any depth. */
function innermost(
  calls: readonly PrintedCall[],
  isWanted: (call: PrintedCall, normal: NormalCall) => boolean,
): NormalCall[] {
  const chosen = new Map<string, NormalCall>();
  for (const call of calls) {
    if (call.isOwn === false && !isWanted(call, nothing)) continue;
    const normal = normalOf(call);
    if (normal.isReal && isWanted(call, normal)) chosen.set(normal.text, normal);
    if (chosen.size === callsConsidered) break;
  }
  return [...chosen.values()];
}

/** A call without what differs between two builds, two machines, or two ways of printing it. */
interface NormalCall {
  readonly text: string;
  /** Whether the original name is known. */
  readonly isNamed: boolean;
  /** Whether the call is in an installed package or a language's library. */
  readonly isLibrary: boolean;
  /** Whether the call is neither in the runtime nor in instrumentation, and isn't merely a turn of the event loop. */
  readonly isReal: boolean;
}

const nothing: NormalCall = { text: "", isNamed: false, isLibrary: true, isReal: false };

/** A cache: calls repeat from event to event, and normalizing one costs as much as the rest of the fingerprint. */
const remembered = new Map<string, NormalCall>();
const rememberedMax = 5_000;

function normalOf({ file, name }: PrintedCall): NormalCall {
  const key = `${file}\n${name}`;
  const known = remembered.get(key);
  if (known) return known;
  const called = functionName(name);
  const normal = {
    text: `${filePlace(file)} ${called}`,
    isNamed: called !== "?",
    isLibrary: isInstalled(file),
    isReal: !isRuntime(file) && !isInstrumentation(file, name) && !/^(?:async )?(?:new )?Promise\b/.test(name),
  };
  if (remembered.size === rememberedMax) remembered.clear();
  remembered.set(key, normal);
  return normal;
}

/** Parts that generators add to the names of classes, methods, and proxies. */
const generated: readonly RegExp[] = [
  /\$\$(?:Enhancer|FastClass|SpringCGLIB|Lambda|EnhancerBy\w{1,40}|FastClassBy\w{1,40})\b[\w$/]*/,
  /\$\$[\w$/]*Lambda[\w$/]*/,
  /\$(?:HibernateProxy|ByteBuddy|MockitoMock|Proxy|jcl|Subclass)\$?[\w$]*/,
  /_\$\$_[\w$]*/,
  /(?:__){0,1}\$[0-9]+(?=\.|$)/,
  // Of .NET's state machines and lambdas.
  /(?<=>)[bdg]__[\w|]{0,200}(?:\.MoveNext)?/,
  // Rust's legacy mangling.
  /::h[0-9a-f]{16}$/,
];

/** Closures are numbered in the order of the file, or named after their line: Go's, Rust's, PHP's. */
const closures: readonly [pattern: RegExp, name: string][] = [
  [/\.func\d+(?:\.\d+)*(?=[.\s]|$)/g, ".func"],
  [/\{\{?closure(?:[#:][^{}]{0,400})?\}\}?/g, "{closure}"],
];

/** Returns a function's name without what differs between builds or printers; `?` when nothing remains. */
function functionName(printed: string): string {
  let name = printed
    .replace(/^(?:async|new|get|set|static|bound) /, "")
    .replace(/ \[as [^\]]{1,200}\]/, "")
    .replace(/^(?:Object|Module|Function|global|globalThis|process|exports|module\.exports)\./, "")
    .replace(/<locals>\./g, "")
    .replace(/\b(?:lambda|access)\$(?:(\w{1,100})\$)?\d+\b/, "$1");
  for (const pattern of generated) name = name.replace(pattern, "");
  for (const [pattern, closure] of closures) name = name.replace(pattern, closure);
  if (/^(?:|\?|<?\(?anonymous\)?>?|<lambda>|<listcomp>|<genexpr>|<dictcomp>|<setcomp>|<module>|eval)$/.test(name))
    return "?";
  if (isMinified(name)) return "?";
  // In `e.checkout`, a bundler made the first part.
  const parts = name.split(".");
  const written = parts.findIndex((part) => !isMinified(part));
  return parts
    .slice(written)
    .join(".")
    .replace(/\d{2,}/g, "<n>");
}
