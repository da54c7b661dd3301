import type { Location } from "@whence/protocol";
import { inlineCode, placeText } from "../../prose.ts";
import type { CodeSignalArgs, ValueSource } from "../../signals/signal.ts";
import type { Advice } from "./insight.ts";

/** One hop of the failing value, at its place. */
export type ValueStep = CodeSignalArgs["value-step"] & { readonly place: Location };

/** What the code does with the value there, by how the value was made. */
export const stepWords: Readonly<Record<ValueSource, (name: string, code: string) => string>> = {
  parameter: (name) => `takes ${name} as a parameter`,
  argument: (name, code) => (name === code ? `passes ${code} on` : `passes ${code} as ${name}`),
  assignment: (name, code) => `sets ${name} to ${code}`,
  import: (name) => `imports ${name}`,
  iteration: (name, code) => `takes ${name} from ${code}`,
  call: (name, code) => `gets ${name} from ${code}`,
  lookup: (name, code) => (name === code ? `looks up ${code}` : `looks ${name} up with ${code}`),
  "awaited-call": (name, code) => `gets ${name} from ${code}`,
  return: (_, code) => `returns ${code}`,
  "returns-nothing": (name) => `calls ${name}, which can return without a value`,
  property: (name, code) => (name === code ? `reads ${code}` : `reads ${name} from ${code}`),
  environment: (name) => `reads the environment variable ${name}`,
  "parsed-text": (name, code) => (name === code ? `parses ${code}` : `parses ${name} from ${code}`),
  "incoming-body": (name) => `takes ${name} from the request without checking it`,
  "outside-answer": (name, code) =>
    name === code
      ? `takes ${name} from a response without checking it`
      : `takes ${name} from ${code} without checking it`,
  "answer-field": (name) => `reads ${name} from a response without checking it`,
  setting: (name) => `reads the setting ${name}`,
  overrun: (_, code) => `reads past the end: ${code}`,
  "missing-key": (name) => `reads ${name}, which the object doesn't have`,
  data: (name) => `reads ${name} from a data file`,
  fallback: (name, code) => `falls back to ${code} for ${name}`,
  computed: (name, code) => (name === code ? `computes ${code}` : `computes ${name} as ${code}`),
  literal: (name, code) => (name === code ? `uses ${code}` : `sets ${name} to ${code}`),
};

/** What to change where a value was made; null where the place alone doesn't say. */
export function stepFix({ how, name, code, place }: ValueStep): Advice | null {
  const [value, where] = [inlineCode(name), placeText(place)];
  switch (how) {
    case "environment":
    case "setting":
      return { title: `Set ${value}`, detail: `${where} reads it. Set it for this service, then restart the service.` };
    case "outside-answer":
    case "answer-field":
      return {
        title: `Check the response at ${where}`,
        detail: `Reject a response without ${value} there, with an error that names the service and the field.`,
      };
    case "incoming-body":
      return {
        title: `Validate ${value} at ${where}`,
        detail: `Answer 400 when ${value} is missing or has the wrong type, before the value is used.`,
      };
    case "lookup":
      return {
        title: `Handle a missing entry at ${where}`,
        detail: `${inlineCode(code)} finds nothing for this input. Fail there, with an error that names the key.`,
      };
    case "returns-nothing":
      return { title: `Return a value from ${value}`, detail: `One path of ${value} ends without a value (${where}).` };
    case "missing-key":
      return { title: `Provide ${value}`, detail: `${where} reads it, but the object is made without it.` };
    case "overrun":
      return {
        title: `Stop the loop before the end at ${where}`,
        detail: `${inlineCode(code)} runs one element too far.`,
      };
    case "data":
      return { title: `Correct ${value} in the data`, detail: `${where} reads it from there.` };
    case "parsed-text":
      return {
        title: `Check what is parsed at ${where}`,
        detail: `Reject text that isn't in the expected format, with an error that says where it came from.`,
      };
    case "literal":
    case "fallback":
    case "computed":
    case "assignment":
      return { title: `Correct ${value} at ${where}`, detail: `${inlineCode(code)} gives the value that fails later.` };
    default:
      return null;
  }
}

/** What keeps such a value out for good. */
export function stepPrevention({ how, name, place }: ValueStep): Advice | null {
  const [value, where] = [inlineCode(name), placeText(place)];
  switch (how) {
    case "environment":
    case "setting":
      return {
        title: "Check settings at startup",
        detail: `Refuse to start while ${value} isn't set, with a message that names it.`,
      };
    case "outside-answer":
    case "answer-field":
      return {
        title: "Parse responses with a schema",
        detail: `Validate what arrives at ${where}, and run the same schema in a contract test with the service that answers.`,
      };
    case "incoming-body":
      return {
        title: "Validate requests with a schema",
        detail: `Parse the request once at the edge, so that ${where} gets checked values only.`,
      };
    case "lookup":
    case "returns-nothing":
      return {
        title: "Make the missing case visible to the compiler",
        detail: `Declare that ${value} may be missing, so that every use has to handle it.`,
      };
    case "overrun":
    case "computed":
    case "fallback":
      return {
        title: `Test ${where} at its edges`,
        detail: `Add the input that failed, the empty one, and the largest.`,
      };
    default:
      return null;
  }
}

/** What would show that the value is right there. */
export function stepRuledOut({ how, name, place }: ValueStep): string {
  const [value, where] = [inlineCode(name), placeText(place)];
  if (how === "environment") return `${value} is set and not empty in the environment of the process that failed`;
  if (how === "setting") return `${value} has a value in the configuration of the process that failed`;
  if (how === "answer-field" || how === "outside-answer")
    return `a recorded response that reached ${where} has ${value}`;
  return `a log line at ${where} shows the expected value of ${value} for the input that failed`;
}

/** What would show that it is already wrong there. */
export function stepConfirmed({ how, name, place }: ValueStep): string {
  const [value, where] = [inlineCode(name), placeText(place)];
  if (how === "environment" || how === "setting") return `${value} is missing or empty where the process runs`;
  if (how === "answer-field" || how === "outside-answer")
    return `a recorded response that reached ${where} has no ${value}`;
  return `a log line at ${where} shows that ${value} is already wrong there`;
}
