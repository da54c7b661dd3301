import type { Location } from "@whence/protocol";
import { inlineCode } from "../../words/prose.ts";
import {
  bare,
  isChainOfCalls,
  isDataFile,
  isNamedByCode,
  isOwnName,
  isPartLiteral,
  spells,
  valueText,
} from "./step-code.ts";
import type { StepArgs, ValueSource } from "./value-sources.ts";

/** One hop of the failing value, at its place. */
export type ValueStep = StepArgs & {
  readonly place: Location;
  /** Whether it uses a failed response without checking the status. */
  readonly isUnchecked: boolean;
  /** Whether it would use a response, but the client raised an error instead. */
  readonly isRaised?: boolean;
};

/** Returns what the code does with the value, as a predicate of its place. */
export function stepText(step: ValueStep): string {
  return stepWords[step.how](step);
}

const stepWords: Readonly<Record<ValueSource, (step: ValueStep) => string>> = {
  // A parameter that is taken apart has no name.
  parameter: ({ name, code, isCallback }) => {
    const taken = inlineCode(name === "" ? code : name);
    return isCallback ? `takes ${taken} in a callback` : `is called with ${taken}`;
  },
  argument: ({ name, code }) =>
    name === code ? `passes ${inlineCode(code)} on` : `passes ${inlineCode(code)} as ${inlineCode(name)}`,
  assignment: (step) => {
    // A property that is written by its name alone.
    if (!step.assigned && step.name === step.code) return `passes ${inlineCode(step.code)} on`;
    return setText(step) ?? `sets ${inlineCode(step.name)} to ${inlineCode(step.code)}`;
  },
  import: (step) => {
    if (!step.isDefined) return `imports ${inlineCode(step.name)}`;
    return isOwnName(step) ? "may give the value" : `defines ${inlineCode(step.name)}`;
  },
  iteration: ({ name, code }) => {
    if (name === "*" || /^\d+$/.test(name)) return `loops over each ${inlineCode(code)}`;
    return /^[{[]/.test(code)
      ? `takes ${inlineCode(name)} from each entry`
      : `takes each ${inlineCode(name)} from ${inlineCode(code)}`;
  },
  call: (step) => called("calls", step),
  lookup: (step) => called("looks up", step),
  "awaited-call": (step) => called("waits for", step),
  return: ({ code }) => `returns ${inlineCode(code)}`,
  "returns-nothing": (step) => {
    const [, spelled] = /^(?:return\s+)?(null|undefined|nil|None)$/.exec(step.code) ?? [];
    const returned = spelled === undefined ? "without a value" : inlineCode(spelled);
    return isOwnName(step) ? `can return ${returned}` : `calls ${inlineCode(step.name)}, which can return ${returned}`;
  },
  property: (step) =>
    `${setText(step) ?? called("reads", step)}${step.isUnchecked ? " without checking the response status" : ""}`,
  environment: ({ name, isSet }) =>
    `reads the environment variable ${inlineCode(name)}${isSet === false ? ", which isn't set" : ""}`,
  "parsed-text": (step) => (step.isUnchecked ? unchecked(step) : called("parses text with", step)),
  "incoming-body": ({ name, code }) =>
    isNamedByCode({ name, code })
      ? `uses the request body (${inlineCode(code)}) without checking it`
      : `takes ${inlineCode(name)} from the request without checking it`,
  "outside-answer": (step) => {
    if (step.isRaised) return `calls ${inlineCode(step.code)}, which raises an error`;
    return step.isUnchecked ? unchecked(step) : takenIn(step);
  },
  "answer-field": ({ name }) => `reads ${inlineCode(name)} from a response without checking it`,
  setting: ({ name, code, place, isUnread }) => {
    if (isUnread) return `takes ${inlineCode(name)} from a file that wasn't given`;
    return spells(code, name) || isOwnName({ name, place })
      ? `reads ${inlineCode(name)}`
      : `has ${inlineCode(bare(code))} instead of ${inlineCode(name)}`;
  },
  overrun: ({ code }) => `reads past the end: ${inlineCode(code)}`,
  "missing-key": ({ name, code, place, misformed, isFilled }) => {
    if (misformed) {
      const { is, needs, method } = misformed;
      const holds = name === "" ? `holds ${is}` : `sets ${inlineCode(name)} to ${is}`;
      return `${holds}, but ${inlineCode(`.${method}`)} needs ${needs}`;
    }
    if (isDataFile(place.file)) return `has no ${inlineCode(name)}`;
    return isFilled
      ? `starts with ${inlineCode(code)}, so no value for ${inlineCode(name)} was added, or it was removed`
      : `leaves out ${inlineCode(name)}`;
  },
  data: ({ name, place, isOneOf }) => {
    if (!isDataFile(place.file)) return `reads ${inlineCode(name)} from a data file`;
    if (isDataFile(name)) return "is read by the code";
    return isOneOf ? `sets ${inlineCode(name)}, the first of several entries that do` : `sets ${inlineCode(name)}`;
  },
  fallback: ({ name, code, isUnused, isChosen }) => {
    if (isUnused) return `takes an entry of ${inlineCode(code)}`;
    if (isChosen) return `may choose ${inlineCode(code)}`;
    return name === code
      ? `falls back to ${inlineCode(code)}`
      : `falls back to ${inlineCode(code)} for ${inlineCode(name)}`;
  },
  computed: (step) => (isNamedByCode(step) ? `computes ${inlineCode(step.code)}` : called("computes", step)),
  literal: (step) => {
    const [name, code] = [step.name, step.code].map(inlineCode);
    if (step.name === step.code) return `has ${code}, which the failing value may depend on`;
    if (isPartLiteral(step)) return isChainOfCalls(step.name) ? `computes ${name}` : `uses ${code} in ${name}`;
    return isOwnName(step) ? `returns ${code}` : (setText(step) ?? `sets ${name} to ${code}`);
  },
};

function unchecked(step: ValueStep): string {
  return `${takenIn(step)} without checking the response status`;
}

function takenIn({ name, code }: ValueStep): string {
  return isNamedByCode({ name, code })
    ? `uses the result of ${inlineCode(code)}`
    : `takes ${inlineCode(name)} from ${inlineCode(code)}`;
}

/** Returns what is done with the whole expression, or with the part it assigns. */
function called(verb: string, step: ValueStep): string {
  const value = valueText(step);
  return value === step.code
    ? `${verb} ${inlineCode(value)}`
    : `gets ${inlineCode(value)} from ${inlineCode(step.code)}`;
}

function setText(step: ValueStep): string | null {
  const { assigned } = step;
  if (!assigned) return null;
  const value = inlineCode(assigned.value);
  if (assigned.target === assigned.value) return `sets ${value}`;
  return assigned.isPattern
    ? `takes ${inlineCode(valueText(step))} from ${value}`
    : `sets ${inlineCode(assigned.target)} to ${value}`;
}
