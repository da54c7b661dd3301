import { readsWholeFile } from "../signals/code/step-advice.ts";
import { origins } from "../signals/code/value-sources.ts";
import { type AnyCodeSignal, type CodeSignal, isOnlySeen, kindOf } from "../signals/signal.ts";
import { type Thrown, thrownText } from "../words/thrown.ts";
import { isSamePlace, type Link, type LinkOf } from "./link.ts";
import type { Join } from "./messages/headline.ts";
import type { Messages } from "./messages.en.ts";
import { whatOf } from "./words.ts";

/** The end of a chain, in the words of a headline. */
export interface Symptom {
  /** In several wordings, the fullest first; empty where the origin already says it. */
  readonly texts: readonly string[];
  readonly join: Join;
}

/** Returns the last link of a chain, and how its origin leads to it. */
export function symptomOf(origin: Link, chain: readonly Link[], messages: Messages): Symptom {
  const last = chain.at(-1);
  if (!last || last === origin || last.kind === "text") return { texts: [], join: "and" };
  if (last.kind === "failure" && (isBare(last) || isMessageSource(origin)))
    return {
      texts: origin.kind === "dependency" || isMessageSource(origin) ? [] : errorsOf(last.args).map(messages.noun),
      join: "colon",
    };
  if (isMessageSource(origin)) return { texts: [], join: "and" };
  if (origin.kind === "frame" && origin.args.thrown && last.kind === "failure" && last.args.place)
    return { texts: [messages.calledFrom(last.args.place)], join: "within" };
  if (isSamePlace(origin, last) && last.kind === "code" && last.args.thrown !== null)
    return { texts: errorsOf(last.args.thrown).map(messages.noun), join: "colon" };
  return { texts: wordings(last, messages), join: joinOf(origin) };
}

/** Returns wordings of a link: with its error in full, with the error truncated, with only its type, and without it. */
export function wordings(link: Link, messages: Messages): string[] {
  return [...new Set(variantsOf(link).map((one) => whatOf(one, messages)))];
}

function variantsOf(link: Link): Link[] {
  if (link.kind === "failure")
    return shortened(link.args).map((thrown): Link => ({ ...link, args: { ...link.args, ...thrown } }));
  if (link.kind === "frame" && link.args.thrown)
    return shortened(link.args.thrown).map((thrown): Link => ({ ...link, args: { ...link.args, thrown } }));
  if (link.kind === "alert") {
    const { alert } = link.args;
    const summaries = [alert.summary, firstWords(alert.summary), alert.name];
    return summaries.map((summary): Link => ({ ...link, args: { alert: { ...alert, summary } } }));
  }
  if (link.kind !== "code" || link.args.thrown === null) return [link];
  const { signal, thrown } = link.args;
  // What is thrown says more than the condition of the throw.
  const bare = signal.kind === "deliberate-throw" ? { ...signal, args: { ...signal.args, condition: null } } : signal;
  return [
    ...shortened(thrown).map((one): Link => ({ ...link, args: { ...link.args, signal: bare, thrown: one } })),
    { ...link, args: { ...link.args, thrown: null } },
  ];
}

const messageWordsMax = 8;

function firstWords(text: string): string {
  const words = text.split(/\s+/);
  return words.length > messageWordsMax ? `${words.slice(0, messageWordsMax).join(" ")}…` : text;
}

function shortened({ type, message }: Thrown): Thrown[] {
  return [
    { type, message },
    { type, message: firstWords(message) },
    ...(type === "" || type === "Error" ? [] : [{ type, message: "" }]),
  ];
}

/** Returns only the error, from the fullest wording to the shortest. */
export function errorsOf(thrown: Thrown): string[] {
  return [...new Set(shortened(thrown).map(thrownText))].filter((text) => text !== "");
}

/** Returns whether a link only shows where the failing value passed through. */
export function isValueStep(link: Link): link is LinkOf<"code"> {
  return link.kind === "code" && link.args.signal.kind === "value-step";
}

/** Returns whether a link names a data file and nothing in it. */
export function isWholeFile(link: Link): boolean {
  if (link.kind !== "code" || link.args.signal.kind !== "value-step") return false;
  return readsWholeFile({ ...link.args.signal.args, place: link.args.place });
}

/** A link with a hop of the failing value through code that neither makes nor breaks it. */
export type HandedOn = Link & { readonly kind: "code"; readonly args: { readonly signal: CodeSignal<"value-step"> } };

/** Returns whether a link only hands the failing value on: it isn't where the value was made, and isn't wrong itself. */
export function isHandedOn(link: Link): link is HandedOn {
  return link.kind === "code" && link.args.signal.kind === "value-step" && !origins.has(link.args.signal.args.how);
}

/** Returns whether a link is a thrown error without a known place or request. */
function isBare({ args }: LinkOf<"failure">): boolean {
  return args.place === null && args.request === null;
}

function isMessageSource(link: Link): boolean {
  return link.kind === "code" && kindOf(link.args.signal).throws === "message";
}

/** A link that is wrong on its own led to the symptom; any other link was only seen together with it. */
function joinOf(origin: Link): Join {
  if (origin.kind === "frame" || origin.kind === "off-stack" || origin.kind === "service") return "colon";
  if (origin.kind === "change-event") return origin.args.host === null ? "and" : "so";
  if (origin.kind !== "code") return origin.kind === "process-state" || origin.kind === "call" ? "and" : "so";
  const { signal } = origin.args;
  return isOnlySeen(signal) || isForgottenBeside(signal) ? "and" : "so";
}

/** Returns whether a promise is forgotten that nothing shows to matter for the failure. */
function isForgottenBeside(signal: AnyCodeSignal): boolean {
  return signal.kind === "missing-await" && signal.towards === null && signal.args.before === undefined;
}
