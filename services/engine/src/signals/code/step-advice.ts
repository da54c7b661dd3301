import type { Advice } from "../../words/link-words.ts";
import { inlineCode, placeText, shortCode } from "../../words/prose.ts";
import { bare, isDataFile, isNamedByCode, isOwnName, isPartLiteral, spells, valueText } from "./step-code.ts";
import type { ValueStep } from "./step-words.ts";

/** Returns what to change where a value was created; null where the place alone doesn't show it. */
export function stepFix(step: ValueStep): Advice | null {
  const { how, name, code, place, isSet, isUnread } = step;
  if (isUnread || step.isUnused || step.isRaised) return null;
  const [value, where] = [inlineCode(shortCode(valueText(step))), placeText(place)];
  switch (how) {
    case "environment":
      if (isSet)
        return { title: `Check the value of ${inlineCode(name)}`, detail: `${where} reads it, and it is set.` };
      return {
        title: `Set ${inlineCode(name)}`,
        detail: `${where} reads it. Set it for this service, then restart the service.`,
      };
    case "setting":
      return spells(code, name)
        ? { title: `Set ${value}`, detail: `${where} reads it.` }
        : {
            title: `Use the name ${inlineCode(name)} at ${where}`,
            detail: `The code reads ${inlineCode(name)}, but finds ${inlineCode(bare(code))} there.`,
          };
    case "outside-answer":
      return isNamedByCode({ name, code })
        ? {
            title: `Check what ${value} returns at ${where}`,
            detail: "Reject it there when it isn't in the expected form, with an error that says where it came from.",
          }
        : missingField(value, where);
    case "answer-field":
      return missingField(value, where);
    case "incoming-body":
      return {
        title: `Validate ${value} at ${where}`,
        detail: `Answer 400 when ${value} is missing or has the wrong type, before the value is used.`,
      };
    case "lookup":
      return {
        title: `Find out why ${inlineCode(shortCode(code))} finds nothing at ${where}`,
        detail: "If the entry must exist, fail there with an error that names the key.",
      };
    case "returns-nothing":
      return {
        title: `Return a value from ${inlineCode(name)}`,
        detail: `One path of ${inlineCode(name)} ends without a value (${where}).`,
      };
    case "missing-key":
      if (step.misformed) {
        const { is, needs, method } = step.misformed;
        return {
          title: name === "" ? `Make ${where} ${needs}` : `Make ${inlineCode(name)} ${needs} at ${where}`,
          detail: `It is ${is} there, and the code calls ${inlineCode(`.${method}`)} on it.`,
        };
      }
      if (step.isFilled)
        return {
          title: `Find out where ${inlineCode(name)} should have been added, or was removed`,
          detail: `${where} starts with ${inlineCode(code)}, and other code fills it.`,
        };
      return {
        title: `Provide ${inlineCode(name)} at ${where}`,
        detail: "The code reads it later, but nothing sets it.",
      };
    case "overrun":
      return {
        title: `Stop the loop before the end at ${where}`,
        detail: `${inlineCode(code)} runs one element too far.`,
      };
    case "data":
      return dataFix(step);
    case "parsed-text":
      return {
        title: `Check what is parsed at ${where}`,
        detail: `Reject text that isn't in the expected format, with an error that says where it came from.`,
      };
    case "literal":
      return {
        title: `Check ${literalText(step)} at ${where}`,
        detail: isPartLiteral(step) ? "" : "It is written there, so it is the same for every input.",
      };
    case "fallback":
    case "computed":
      return { title: `Check ${value} at ${where}`, detail: "" };
    default:
      return null;
  }
}

/** Returns what to do about data that sets a key whose value was missing where it was used; null for other steps. */
export function missingElsewhereFix({ how, name, code, place }: Omit<ValueStep, "isUnchecked">): Advice | null {
  if (how !== "data" || !isDataFile(place.file) || isDataFile(name)) return null;
  const set = code.slice(code.indexOf(name) + name.length);
  if (/^["']?\s*[:=]\s*(?:(?:null\b|~|,|\}).*)?$/.test(set)) return null;
  return {
    title: `Find the data that has no ${inlineCode(name)}`,
    detail: `${placeText(place)} sets it, so another entry or file lacks it.`,
  };
}

/** Returns the text for a literal: its name, or the literal itself where a function returns it. */
function literalText(step: ValueStep): string {
  return inlineCode(shortCode(isOwnName(step) ? step.code : valueText(step)));
}

function dataFix({ name, place, isOneOf, ...step }: ValueStep): Advice | null {
  // What of the file matters isn't known.
  if (isDataFile(name)) return null;
  const [value, where] = [inlineCode(shortCode(valueText({ name, ...step }))), placeText(place)];
  if (isOneOf)
    return {
      title: `Check ${value} of the entry that failed in ${inlineCode(place.file)}`,
      detail: `Several entries set it, the first at ${where}.`,
    };
  const detail = isDataFile(place.file) ? `${where} sets it.` : `${where} reads it from there.`;
  return { title: `Correct ${value} in the data`, detail };
}

function missingField(field: string, where: string): Advice {
  return {
    title: `Check the response at ${where}`,
    detail: `Reject a response without ${field} there, with an error that names the service and the field.`,
  };
}

/** Returns what prevents such a value. */
export function stepPrevention(step: ValueStep): Advice | null {
  const { how, name, place, isSet, isUnused } = step;
  const [value, where] = [inlineCode(valueText(step)), placeText(place)];
  if (isUnused) return null;
  switch (how) {
    case "environment":
      if (isSet) return null;
      return {
        title: "Check settings at startup",
        detail: `Refuse to start while ${inlineCode(name)} isn't set, with a message that names it.`,
      };
    case "setting":
      return isDataFile(place.file)
        ? {
            title: `Validate ${inlineCode(place.file)} with a schema`,
            detail: "Reject unknown names, so a misspelled one fails at startup.",
          }
        : null;
    case "answer-field":
      return {
        title: "Parse responses with a schema",
        detail: `Validate the response at ${where}, and use the same schema in a contract test with the service that sends it.`,
      };
    case "incoming-body":
      return {
        title: "Validate requests with a schema",
        detail: `Parse each request once, when it arrives, so ${where} only gets validated values.`,
      };
    case "lookup":
    case "returns-nothing":
      return {
        title: "Make the missing case visible to the compiler",
        detail:
          how === "lookup"
            ? `Declare that ${value} may be missing, so every use has to handle that case.`
            : `Declare that ${inlineCode(name)} may return nothing, so every use has to handle that case.`,
      };
    case "overrun":
    case "computed":
    case "fallback":
      return {
        title: `Test the edge cases of ${where}`,
        detail: "Cover empty input and the largest input.",
      };
    default:
      return null;
  }
}

/** Returns whether a step only says that the code reads a data file, and not what of it matters. */
export function readsWholeFile({ how, name, place }: Pick<ValueStep, "how" | "name" | "place">): boolean {
  return how === "data" && isDataFile(place.file) && isDataFile(name);
}

/** Returns what would show that the value is right there. */
export function stepRuledOut(step: ValueStep): string {
  const { how, name, code, place } = step;
  const [value, where] = [inlineCode(valueText(step)), placeText(place)];
  switch (how) {
    case "environment":
      return step.isSet
        ? `${inlineCode(name)} has the expected value in the process that failed`
        : `${inlineCode(name)} is set and not empty in the environment of the process that failed`;
    case "setting":
      return step.isUnread || spells(code, name)
        ? `${value} has the expected value in the process that failed`
        : `what ran had ${inlineCode(name)} at ${where}`;
    case "missing-key":
      return step.misformed
        ? `what ran had ${step.misformed.needs} at ${where}`
        : `what ran had ${inlineCode(name)} at ${where}`;
    case "returns-nothing":
      return `a log line shows that ${inlineCode(name)} returned a value for the input that failed`;
    case "answer-field":
      return `a recorded response that reached ${where} has ${value}`;
    case "outside-answer":
      return step.isRaised
        ? `${value} returned a response at ${where}`
        : `what ${value} returned at ${where} has the expected form`;
    case "literal":
      return `${where} has run with ${literalText(step)} without this error`;
    case "return":
      return `a log line at ${where} shows the expected result for the input that failed`;
    default:
      if (isDataFile(place.file)) return `${entryOf(step)} is as expected for the input that failed`;
      return `a log line at ${where} shows the expected value of ${value} for the input that failed`;
  }
}

/** Returns a value in a data file with its place, or with the file where several entries may be meant. */
function entryOf({ place, isOneOf, ...step }: ValueStep): string {
  const where = isOneOf ? `in ${inlineCode(place.file)}` : `at ${placeText(place)}`;
  return `${inlineCode(valueText(step))} ${where}`;
}

/** Returns what would show that it is already wrong there. */
export function stepConfirmed(step: ValueStep): string {
  const { how, name, code, place } = step;
  const [value, where] = [inlineCode(valueText(step)), placeText(place)];
  switch (how) {
    case "environment":
      return step.isSet
        ? `${inlineCode(name)} has an unexpected value where the process runs`
        : `${inlineCode(name)} is missing or empty where the process runs`;
    case "setting":
      return step.isUnread || spells(code, name)
        ? `${value} is wrong in the process that failed`
        : `the process that failed ran with ${inlineCode(bare(code))}`;
    case "missing-key":
      return step.misformed
        ? `what ran had ${step.misformed.is} at ${where}`
        : `what ran at ${where} had no ${inlineCode(name)}`;
    case "returns-nothing":
      return `a log line shows that ${inlineCode(name)} returned nothing for the input that failed`;
    case "answer-field":
      return `a recorded response that reached ${where} has no ${value}`;
    case "outside-answer":
      return step.isRaised
        ? `a log line at ${where} shows the error that ${value} raised`
        : `what ${value} returned at ${where} isn't in the expected form`;
    case "literal":
      return `the error is gone with another value than ${literalText(step)} at ${where}`;
    case "return":
      return `a log line at ${where} shows that the result is already wrong there`;
    default:
      if (isDataFile(place.file)) return `${entryOf(step)} is wrong for the input that failed`;
      return `a log line at ${where} shows that ${value} is already wrong there`;
  }
}
