import type { Location } from "@whence/protocol";
import type { CodeSignalArgs, CodeSignalKind } from "../../signals/signal.ts";
import type { Thrown } from "../link.ts";
import { count, inlineCode, placeText } from "../prose.ts";
import { badUse, isMissing } from "./bad-use.ts";
import type { Insight } from "./insight.ts";
import { stepText, type ValueStep } from "./step-words.ts";
import { thrownText } from "./thrown.ts";
import { stepConfirmed, stepFix, stepPrevention, stepRuledOut } from "./value-steps.ts";

type At<K extends CodeSignalKind> = CodeSignalArgs[K] & {
  readonly place: Location;
  /** The error, where the signal is what throws it. */
  readonly thrown: Thrown | null;
  /** Whether it goes on with an answer that failed, whose status nothing looked at. */
  readonly isUnchecked: boolean;
};

const none = (): null => null;

/** The words for what was seen in code. */
export const code: { readonly [K in CodeSignalKind]: Insight<At<K>> } = {
  "throw-site": {
    what: ({ expression, place, thrown }) => {
      if (expression === null) return throwing(place, thrown);
      const fails = `${placeText(place)} fails in ${inlineCode(expression)}`;
      return thrown === null ? fails : `${fails} with ${inlineCode(thrownText(thrown))}`;
    },
    fix: none,
    prevent: none,
    confirmedBy: none,
    ruledOutBy: ({ place }) => `the same error occurs with a stack that doesn't pass ${placeText(place)}`,
  },
  "bad-value": {
    what: ({ place, ...args }) => `${placeText(place)} ${badUse(args)}`,
    fix: ({ place, ...args }) =>
      isMissing(args)
        ? {
            title: `Handle a missing ${inlineCode(args.expression)} at ${placeText(place)}`,
            detail: "Fail there with an error that names the value, or make sure that it is always set.",
          }
        : {
            title: `Check ${inlineCode(args.expression)} at ${placeText(place)}`,
            detail: "Fail there with an error that names the value and what was expected of it.",
          },
    prevent: ({ expression, place, ...args }) => ({
      title: isMissing(args) ? `Add a test without ${inlineCode(expression)}` : `Add a test for ${placeText(place)}`,
      detail: isMissing(args) ? `Cover ${placeText(place)} with the input that failed.` : "Use the input that failed.",
    }),
    confirmedBy: ({ expression, was, place, ...args }) =>
      isMissing({ ...args, was })
        ? `a log line just before ${placeText(place)} shows that ${inlineCode(expression)} is ${inlineCode(was)}`
        : null,
    ruledOutBy: ({ expression, was, place, ...args }) =>
      isMissing({ ...args, was })
        ? `a log line just before ${placeText(place)} shows that ${inlineCode(expression)} is present`
        : `a log line just before ${placeText(place)} shows that ${inlineCode(expression)} is as expected`,
  },
  "deliberate-throw": {
    what: ({ condition, place, thrown }) => {
      const throws = throwing(place, thrown);
      return condition === null ? throws : `${throws} when ${inlineCode(condition)}`;
    },
    fix: ({ condition, place }) =>
      condition === null
        ? null
        : {
            title: `Find out why ${inlineCode(condition)} is true`,
            detail: `${placeText(place)} throws under this condition. Log the values in it along with the error.`,
          },
    prevent: none,
    confirmedBy: none,
    ruledOutBy: ({ place }) => `the same error occurs with a stack that doesn't pass ${placeText(place)}`,
  },
  "value-step": {
    what: (step) => `${placeText(step.place)} ${stepText(step)}`,
    fix: (step: ValueStep) => stepFix(step),
    prevent: (step: ValueStep) => stepPrevention(step),
    confirmedBy: (step: ValueStep) => stepConfirmed(step),
    ruledOutBy: (step: ValueStep) => stepRuledOut(step),
  },
  "missing-await": {
    what: ({ callee, how, place }) => `${placeText(place)} ${awaitWords[how](inlineCode(callee))}`,
    fix: ({ callee, how, place }) =>
      how === "in-callback"
        ? {
            title: `Wait for the async callbacks of ${inlineCode(callee)} at ${placeText(place)}`,
            detail: "Use a `for...of` loop that awaits each call, or await `Promise.all` over the results of `map`.",
          }
        : {
            title: `Await ${inlineCode(callee)} at ${placeText(place)}`,
            detail: "Its value is then available when it is used, and its rejection reaches the caller.",
          },
    prevent: () => ({
      title: "Lint for floating promises",
      detail: "Turn on `no-floating-promises` and `no-misused-promises`: both find this place.",
    }),
    confirmedBy: ({ callee, how }) => `the failure stops once ${awaited(callee, how)}`,
    ruledOutBy: ({ callee, how }) => `the same failure occurs when ${awaited(callee, how)}`,
  },
  "unreleased-resource": {
    what: ({ acquire, leavesAtLine, place }) =>
      leavesAtLine === null
        ? `${placeText(place)} doesn't release the result of ${inlineCode(acquire)} on every path`
        : `${placeText(place)} can exit at line ${leavesAtLine} without releasing the result of ${inlineCode(acquire)}`,
    fix: ({ acquire, place }) => ({
      title: `Release the result of ${inlineCode(acquire)} at ${placeText(place)}`,
      detail: "Restart the service to free what it holds now, then release it in a `finally`.",
    }),
    prevent: ({ acquire }) => ({
      title: "Acquire and release in one function",
      detail: `Wrap ${inlineCode(acquire)} in a function that takes a callback and releases afterwards, and report how many are in use.`,
    }),
    confirmedBy: ({ acquire }) => `the number of ${inlineCode(acquire)} in use stays up after the requests have ended`,
    ruledOutBy: ({ acquire }) => `the number of ${inlineCode(acquire)} in use falls back once the requests have ended`,
  },
  "message-source": {
    what: ({ place, thrown }) =>
      `${placeText(place)} raises ${thrown === null ? "this error" : inlineCode(thrownText(thrown))}`,
    fix: none,
    prevent: none,
    confirmedBy: none,
    ruledOutBy: ({ template, place }) =>
      `the error is raised elsewhere than at ${placeText(place)}, which writes ${inlineCode(template)}`,
  },
  "literal-in-message": {
    what: ({ value, place }) => `${placeText(place)} sets ${inlineCode(value)}, which the error names`,
    fix: ({ value, place }) => ({
      title: `Correct ${inlineCode(value)} at ${placeText(place)}`,
      detail: "Deploy the change and restart the service.",
    }),
    prevent: ({ value, place }) => ({
      title: `Check ${placeText(place)} before it ships`,
      detail: `Test that ${inlineCode(value)} works in the environment that it is meant for.`,
    }),
    confirmedBy: none,
    ruledOutBy: ({ value }) => `the process that failed ran with a value other than ${inlineCode(value)}`,
  },
  "broken-file": {
    what: ({ format, problem, place }) =>
      `${placeText({ ...place, function: null })} isn't valid ${format}: ${inlineCode(problem)}`,
    fix: ({ format, place }) => ({
      title: `Correct ${placeText({ ...place, function: null })}`,
      detail: `Make it valid ${format} and deploy it again.`,
    }),
    prevent: ({ format, place }) => ({
      title: `Parse ${inlineCode(place.file)} in CI`,
      detail: `Fail the build when it isn't valid ${format}.`,
    }),
    confirmedBy: none,
    ruledOutBy: ({ place, format }) => `${inlineCode(place.file)} as deployed is valid ${format}`,
  },
  "named-file": {
    what: ({ name, place }) => `the text of ${inlineCode(name)}, named at ${placeText(place)}, can't be parsed`,
    fix: ({ name, place }) => ({
      title: `Restore ${inlineCode(name)} on the hosts that fail`,
      detail: `Check that it is complete and valid there. If a setting names another file than ${placeText(place)} does, check that one.`,
    }),
    prevent: ({ name }) => ({
      title: `Check ${inlineCode(name)} when it is written`,
      detail: "Parse what is written before it replaces the file in use, and keep the last valid one.",
    }),
    confirmedBy: ({ name }) => `a parser refuses ${inlineCode(name)} on a host that fails`,
    ruledOutBy: ({ name }) => `a parser accepts ${inlineCode(name)} on a host that fails`,
  },
  "missing-module": {
    what: ({ module, place }) => `${placeText(place)} imports ${inlineCode(module)}, which isn't there`,
    fix: ({ module, place }) => ({
      title: `Correct the import at ${placeText(place)}, or deploy ${inlineCode(module)}`,
      detail: `Check that the path and its capitalization are right, and that the build copies ${inlineCode(module)}.`,
    }),
    prevent: ({ module }) => ({
      title: "Start the deployed artifact in CI",
      detail: `Start the image or package as it ships, because only there ${inlineCode(module)} is missing.`,
    }),
    confirmedBy: none,
    ruledOutBy: ({ module }) => `the deployed files include ${inlineCode(module)}`,
  },
  "missing-export": {
    what: ({ name, module, place }) =>
      `${placeText(place)} imports ${inlineCode(name)}, which ${inlineCode(module)} doesn't export`,
    fix: ({ name, module, similar, place }) =>
      similar === null
        ? {
            title: `Correct the import at ${placeText(place)}`,
            detail: `${inlineCode(module)} has no ${inlineCode(name)}.`,
          }
        : {
            title: `Import ${inlineCode(similar)} at ${placeText(place)}`,
            detail: `${inlineCode(module)} exports ${inlineCode(similar)}, not ${inlineCode(name)}.`,
          },
    prevent: ({ module }) => ({
      title: "Type-check imports in CI",
      detail: `Check them against the version of ${inlineCode(module)} that is deployed.`,
    }),
    confirmedBy: none,
    ruledOutBy: ({ name, module }) => `the deployed ${inlineCode(module)} exports ${inlineCode(name)}`,
  },
  "swallowed-error": {
    what: ({ call, place }) =>
      call === null
        ? `${placeText(place)} catches an error and drops it`
        : `${placeText(place)} catches the error of ${inlineCode(call)} and drops it`,
    fix: ({ place }) => ({
      title: `Pass the error on at ${placeText(place)}`,
      detail: "Rethrow it, or return a result that the caller can't mistake for success.",
    }),
    prevent: none,
    confirmedBy: ({ place }) => `logging the error caught at ${placeText(place)} shows an earlier failure`,
    ruledOutBy: ({ place }) => `nothing is caught at ${placeText(place)} for the input that failed`,
  },
  recursion: {
    what: ({ function: name, place }) => `${inlineCode(name)} calls itself endlessly (${inlineCode(lineOf(place))})`,
    fix: ({ function: name, place }) => ({
      title: `End the recursion of ${inlineCode(name)}`,
      detail: `Add the missing base case at ${placeText(place)}, or track what was already visited.`,
    }),
    prevent: ({ function: name }) => ({
      title: `Bound the depth of ${inlineCode(name)}`,
      detail: "Reject input that is nested more deeply than the limit, and test with a cycle.",
    }),
    confirmedBy: none,
    ruledOutBy: ({ function: name }) => `${inlineCode(name)} ends for the input that failed`,
  },
  "shared-state": {
    what: ({ name, writers, place }) =>
      writers > 0
        ? `${placeText(place)} uses ${inlineCode(name)}, which ${count(writers, "other function")} ${writers === 1 ? "changes" : "change"}`
        : `${placeText(place)} uses ${inlineCode(name)}, which is shared`,
    fix: ({ name, place }) => ({
      title: `Stop sharing ${inlineCode(name)}`,
      detail: `Give each caller its own copy at ${placeText(place)}, or guard the changes.`,
    }),
    prevent: ({ name }) => ({
      title: `Test ${inlineCode(name)} under concurrency`,
      detail: "Run the failing path twice at the same time and compare the results.",
    }),
    confirmedBy: ({ name }) => `the failure stops when ${inlineCode(name)} is no longer shared`,
    ruledOutBy: ({ name }) => `nothing else changes ${inlineCode(name)} while the failing call runs`,
  },
};

function lineOf({ file, line }: Location): string {
  return line === null ? file : `${file}:${line}`;
}

const awaitWords = {
  forgotten: (callee: string) => `calls ${callee} without awaiting it`,
  "in-callback": (callee: string) => `passes an async callback to ${callee}, which doesn't wait for it`,
  "as-value": (callee: string) => `uses the promise of ${callee} as if it were its value`,
} as const;

function awaited(callee: string, how: CodeSignalArgs["missing-await"]["how"]): string {
  return how === "in-callback"
    ? `the callbacks of ${inlineCode(callee)} are awaited`
    : `${inlineCode(callee)} is awaited`;
}

function throwing(place: Location, thrown: Thrown | null): string {
  return thrown === null
    ? `${placeText(place)} throws`
    : `${placeText(place)} throws ${inlineCode(thrownText(thrown))}`;
}
