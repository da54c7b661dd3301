import { z } from "zod";
import type { Advice } from "../../words/link-words.ts";
import { inlineCode, list, placeText } from "../../words/prose.ts";
import { codeKind, nearest } from "./code-kind.ts";
import type { Remedy } from "./remedy.ts";
import { lastName } from "./step-code.ts";

const args = z.object({
  expression: z.string(),
  /** The operand of the expression that was the value; absent where the expression was, or the error doesn't say. */
  operand: z.string().optional(),
  /** The variable that the value is read from, and the fields from there; absent for other expressions. */
  path: z.array(z.string()).readonly().optional(),
  /** What else may have been the value, where the error doesn't say which; absent where it does. */
  others: z.array(z.string()).readonly().optional(),
  /** What the value was, according to the error: `undefined`, `null`, `nil`, `None`, `0`, `not a function`, … */
  was: z.string(),
  use: z.enum(["read", "call", "write", "iterate", "element", "operand", "argument", "divide"]),
  /** The operands of an operator that doesn't accept both, where the error gives the type of each; absent elsewhere. */
  operands: z.tuple([z.string(), z.string()]).readonly().optional(),
  /** The match of a regular expression that gave the value; absent for others. `pattern` is null for one that is long. */
  unmatched: z.object({ code: z.string(), text: z.string(), pattern: z.string().nullable() }).optional(),
  /** The property, element, or function that was accessed on it. */
  member: z.string().nullable(),
});
type BadValue = Readonly<z.output<typeof args>>;

/** The state of a value that the error reports as either of them. */
export const undefinedOrNull = "undefined or null";

/** The state of a field that can't be set. */
export const readOnly = "read-only";

/** The state of an index or a bound that isn't within what it is for. */
export const outOfBounds = "out of bounds";

/** The state of two dates with times where only one has a time zone. */
export const naiveOrAware = "naive or aware";

/** A value that couldn't be used. */
export const badValue = codeKind({
  name: "bad-value",
  means: "A value was missing or of the wrong type when it was used here",
  args,
  example: { expression: "money", was: "undefined", use: "read", member: "currency" },
  link: {
    what: ({ place, ...args }) => `${placeText(place)} ${badUse(args)}`,
    fix: ({ place, ...args }) => badFix(args, placeText(place)),
    prevent: ({ place, ...args }) => ({
      title:
        isMissingValue(args) && !args.others
          ? `Add a test in which ${inlineCode(codeOf(args))} ${stateText(args.was)}`
          : `Add a test for ${placeText(place)}`,
      detail: isMissingValue(args) && !args.others ? `It should run ${placeText(place)}.` : "",
    }),
    confirmedBy: ({ place, ...args }) =>
      isMissingValue(args) && !args.others
        ? `a log line just before ${placeText(place)} shows that ${inlineCode(codeOf(args))} ${stateText(args.was)}`
        : null,
    ruledOutBy: ({ place, ...args }) =>
      args.others
        ? `a log line just before ${placeText(place)} shows that all of ${list(namesOf(args))} are present`
        : isMissingValue(args)
          ? `a log line just before ${placeText(place)} shows that ${inlineCode(codeOf(args))} is present`
          : isOutOfRange(args)
            ? `a log line just before ${placeText(place)} shows that the index is within ${inlineCode(args.expression)}`
            : `a log line just before ${placeText(place)} shows that ${inlineCode(codeOf(args))} is as expected`,
  },
  ranks: {
    file: (signals) => ({ "signal-bad-value": nearest(signals) }),
    place: (signals) => ({ placeBadValue: Number(signals.length > 0) }),
    failure: (signals) => ({ failureBadValue: Number(signals.length > 0) }),
  },
  missingNames: missingFrom,
  // Of a value that was there, the member is what it lacks.
  repair: (read) => [
    ...[...missingFrom(read), ...(nothing.has(read.was) || read.member === null ? [] : [read.member])].flatMap(
      (name): Remedy[] => [
        { by: "key", name },
        { by: "field", name },
      ],
    ),
    ...(isMissingValue(read) ? variablesIn(codeOf(read)).map((name): Remedy => ({ by: "guard", name })) : []),
  ],
  throws: "here",
  isOnlySeen: () => true,
});

/** Returns the code of the value itself. */
function codeOf({ expression, operand }: Pick<BadValue, "expression" | "operand">): string {
  return operand ?? expression;
}

/** Returns what to do about the value at its place. */
function badFix(args: BadValue, place: string): Advice {
  const { expression, was, use, member } = args;
  const value = inlineCode(codeOf(args));
  if (isMissingValue(args))
    return {
      title: args.others
        ? `Find out which of ${list(namesOf(args))} ${stateText(was)} at ${place}`
        : `Find out why ${value} ${stateText(was)} at ${place}`,
      detail: searching.test(codeOf(args))
        ? "It found nothing there: check what is searched, and for what."
        : "If it should always be there, correct what sets it; otherwise handle its absence.",
    };
  if (isMissingKey(args))
    return {
      title: `Find out why ${value} has no ${inlineCode(was)} at ${place}`,
      detail: `Check that it is added where ${value} is filled, and that the lookup gets the right key.`,
    };
  if (was === outOfBounds)
    return { title: `Check ${value} at ${place}`, detail: "It is below zero, or not less than the length there." };
  const bounds = outOfRange.get(was);
  if (bounds && isOutOfRange(args))
    return { title: `Check the ${bounds.checked} ${inlineCode(expression)} at ${place}`, detail: bounds.is };
  if ((use === "read" || use === "call") && member !== null && isType(was))
    return {
      title: `Find out why ${value} has no ${inlineCode(member)} at ${place}`,
      detail: isBuiltIn(was)
        ? `It ${stateText(was)}, which has none. Convert it, or look at where it is set.`
        : `It ${stateText(was)}. Either another object is expected there, or ${inlineCode(was)} should have it.`,
    };
  if (was.startsWith("not ") || isType(was))
    return {
      title: `Find out why ${value} ${stateText(was)} at ${place}`,
      detail:
        was === "not a function" && codeOf(args).includes(".")
          ? "It is misspelled, missing from that object, or another object is there than expected."
          : "Look at where it is set or imported.",
    };
  return { title: `Check ${value} at ${place}`, detail: "Compare it with what the code there expects." };
}

/** The names that runtimes give to a missing value. */
const nothing: ReadonlySet<string> = new Set(["undefined", "null", undefinedOrNull, "nil", "None", "nullptr"]);

function missingFrom({ was, use, member, expression }: BadValue): string[] {
  const own = use === "call" ? lastName(member ?? expression) : was === member ? lastName(member ?? "") : null;
  return [own, expression.includes(".") ? lastName(expression) : null].filter((name) => name !== null);
}

/** Returns the variables of an expression that stand for themselves, rather than for something in them. */
function variablesIn(expression: string): string[] {
  return expression.match(/(?<![\w$.])[A-Za-z_$][\w$]*(?![\w$.[(])/g) ?? [];
}

/** Returns whether the value was missing, rather than of another type or form. */
export function isMissingValue({ was, use, member }: Pick<BadValue, "was" | "use" | "member">): boolean {
  return nothing.has(was) && !isMissingKey({ was, use, member });
}

/** Returns whether there was no value: it was missing, or its key was. */
export function isAbsent(args: Pick<BadValue, "was" | "use" | "member">): boolean {
  return isMissingValue(args) || isMissingKey(args);
}

/** Returns everything that may have been the value. */
function namesOf({ expression, others = [] }: Pick<BadValue, "expression" | "others">): string[] {
  return [expression, ...others].map(inlineCode);
}

/** Returns what the code does with the unsuitable value, as a predicate of its place. */
function badUse(args: BadValue): string {
  const { expression, was, use, member } = args;
  const value = inlineCode(expression);
  if (isMissingKey(args)) return `finds no ${inlineCode(was)} in ${value}`;
  if (was === "closed") return `uses a channel that is already closed (${value})`;
  const outside = outOfRange.get(was);
  if (outside) return outside.does(value, use);
  if (args.others) return `dereferences ${list(namesOf(args))}, and one of them ${stateText(was)}`;
  if (use === "operand" && args.operand !== undefined && !/[\n{]/.test(expression) && !was.includes(" or "))
    return `evaluates ${value}, where ${inlineCode(args.operand)} ${stateText(was)}`;
  const which = `which ${stateText(was)}`;
  const wanted = member === null ? null : inlineCode(member);
  switch (use) {
    case "read":
      // What is missing can't be an object or a list: it is the pattern of a parameter.
      if (nothing.has(was) && /^[{[]/.test(expression))
        return `destructures ${value} from a value that ${stateText(was)}`;
      if (wanted !== null) return `reads ${wanted} of ${value}, ${which}`;
      return nothing.has(was) ? `dereferences ${value}, ${which}` : `uses ${value}, ${which}`;
    case "call":
      return wanted === null ? `calls ${value}, ${which}` : `calls ${wanted} on ${value}, ${which}`;
    case "write":
      if (was === readOnly && wanted !== null) return `sets ${wanted} of ${value}, ${which}`;
      return wanted === null ? `writes to ${value}, ${which}` : `sets ${wanted} on ${value}, ${which}`;
    case "iterate":
      return `iterates over ${value}, ${which}`;
    case "element":
      return `reads an element of ${value}, ${which}`;
    case "operand":
      return operandText(value, args);
    case "argument":
      return wanted === null ? `passes on ${value}, ${which}` : `calls ${wanted} with ${value}, ${which}`;
    case "divide":
      return `divides by ${value}, ${which}`;
  }
}

/** Returns whether a container lacks a key; the error then names the key instead of a value. */
function isMissingKey({ was, use, member }: Pick<BadValue, "was" | "use" | "member">): boolean {
  return use === "element" && member !== null && was === member;
}

interface OutOfRange {
  /** What the code does with the list, or another sequence. */
  readonly does: (value: string, use: BadValue["use"]) => string;
  readonly checked: string;
  readonly is: string;
}

/** What the code does with a list, or another sequence, in which an index or a range isn't. */
const outOfRange: ReadonlyMap<string, OutOfRange> = new Map<string, OutOfRange>([
  [
    "too short",
    {
      does: (value, use) => `${use === "write" ? "writes" : "reads"} past the end of ${value}`,
      checked: "index into",
      is: "Either the index is too large, or there are fewer elements than expected.",
    },
  ],
  [
    "reversed bounds",
    {
      does: (value) => `slices ${value} with a start that is after the end`,
      checked: "bounds of the slice of",
      is: "Look for exchanged arguments, and for what makes the start greater than the end.",
    },
  ],
  [
    "start too high",
    {
      does: (value) => `starts a slice of ${value} after the end`,
      checked: "start of the slice of",
      is: "Either the start is too large, or there are fewer elements than expected.",
    },
  ],
  [
    "end too high",
    {
      does: (value) => `slices ${value} with an end that is after the maximum`,
      checked: "end of the slice of",
      is: "It is greater than the maximum that the code gives.",
    },
  ],
  [
    "negative index",
    {
      does: (value) => `uses a negative index for ${value}`,
      checked: "index into",
      is: "Look for a subtraction, a remainder, or a search that found nothing (-1).",
    },
  ],
]);

/** Code that ends in a search, whose result is missing when nothing matches. */
const searching =
  /\.(?:find|findLast|findFirst|find_by|detect|first|firstOrNull|match|exec|get|pop|shift|closest|querySelector)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)$/;

function isOutOfRange(args: Pick<BadValue, "was" | "use" | "member">): boolean {
  return outOfRange.has(args.was) && !isMissingKey(args);
}

/** States that are described in words rather than as values or types. */
const states: ReadonlyMap<string, string> = new Map([
  [undefinedOrNull, "is `undefined` or `null`"],
  ["no number", "isn't a number"],
  ["another length", "has another length than expected"],
  ["a nil map", "is a nil map"],
  ["empty", "is empty"],
  ["unmodifiable", "can't be changed"],
]);

/** Returns whether a type is one of the language's own, which no program adds members to. */
function isBuiltIn(type: string): boolean {
  return (
    /^[a-z]/.test(type) || /^(?:String|Symbol|Integer|Float|Array|Hash|Range|Proc|TrueClass|FalseClass)$/.test(type)
  );
}

/** Returns whether a state is the name of a type. */
function isType(was: string): boolean {
  return stateText(was).startsWith("is of type ");
}

/** Returns what is wrong with a value, as a predicate. */
export function stateText(was: string): string {
  const said = states.get(was);
  if (said !== undefined) return said;
  if (was.startsWith("not ")) return `isn't ${was.slice("not ".length)}`;
  if (was.startsWith("frozen ")) return `is a frozen ${inlineCode(was.slice("frozen ".length))}`;
  if (nothing.has(was) || /^-?\d/.test(was)) return `is ${inlineCode(was)}`;
  return /[\s-]/.test(was) ? `is ${was}` : `is of type ${inlineCode(was)}`;
}

function operandWith(code: string, was: string): string {
  return nothing.has(was)
    ? `${inlineCode(code)}, which ${stateText(was)},`
    : `${inlineCode(code)} of type ${inlineCode(was)}`;
}

/** Longer operands leave no room in a headline for what else it says. */
const operandWordsMax = 6;

/** Returns the words for an operator that doesn't accept its operands; the error names one of their types, or both. */
function operandText(expression: string, { was, operands }: BadValue): string {
  if (was === naiveOrAware) return `has a time zone on one side only of ${expression}`;
  if (/[\n{]/.test(expression)) return `uses a value that ${stateText(was)}`;
  if (was.startsWith("not ")) return `evaluates ${expression} with a value that ${stateText(was)}`;
  if (nothing.has(was)) return `evaluates ${expression} with ${inlineCode(was)}`;
  const types = was.split(" or ").map(inlineCode);
  const [one = "", other = ""] = was.split(" or ");
  if (operands && operands.join(" ").split(" ").length <= operandWordsMax) {
    const [left = "", right = ""] = operands;
    const between = expression.replace(left, "").replace(right, "");
    const verb = /\s[<>]=?\s/.test(between) ? "compares" : "combines";
    return `${verb} ${operandWith(left, one)} with ${operandWith(right, other)}`;
  }
  return `finds the ${types.length === 1 ? "type" : "types"} ${list(types)} in ${expression}`;
}
