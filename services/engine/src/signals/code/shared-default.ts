import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A default, a constant, or a kept result that is handed out without a copy, and that code changes. */
export const sharedDefault = codeKind({
  name: "shared-default",
  means:
    "A default, a constant, or a kept result is handed out without a copy of all its levels, and code changes it for every later use",
  args: z.object({
    name: z.string(),
    /** The code that changes it. */
    change: z.string(),
    /**
     * How it is handed out: a `result` is what a function keeps for its later calls. A function may change the argument
     * that it was passed.
     */
    how: z.enum(["default", "constant", "copy", "argument", "result", "result-argument"]),
  }),
  example: { name: "DEFAULT_HEADERS", change: "headers.token = token", how: "constant" },
  link: {
    what: ({ name, change, how, place }) => {
      const [at, it, by] = [placeText(place), inlineCode(name), inlineCode(change)];
      switch (how) {
        case "copy":
          return `${at} copies one level of ${it}, and ${by} changes the others for all`;
        case "default":
          return `${at} gives ${it} one default for all calls, and ${by} changes it`;
        case "argument":
          return `${at} changes its argument with ${by}, and so ${it} itself, for every later use`;
        case "result-argument":
          return `${at} changes its argument with ${by}, and so what ${it} returns to its later callers`;
        case "result":
          return `${at} returns one object to all callers, and ${by} changes it`;
        case "constant":
          return `${at} hands out ${it} itself, and ${by} changes it`;
      }
    },
    fix: ({ name, change, how, place }) => {
      switch (how) {
        case "default":
          return {
            title: `Create ${inlineCode(name)} in each call of ${placeText(place)}`,
            detail: "A default value is made once and shared by all calls. Restart the service to drop what was added.",
          };
        case "argument":
        case "result-argument":
          return {
            title: `Copy the argument at ${placeText(place)} before changing it`,
            detail: `${inlineCode(change)} should change a copy. Restart the service to drop what was changed.`,
          };
        case "result":
          return {
            title: `Return a copy at ${placeText(place)}`,
            detail: "Copy nested objects and lists, too. Restart the service to drop what was changed.",
          };
        default:
          return {
            title: `Copy ${how === "copy" ? "all levels of " : ""}${inlineCode(name)} at ${placeText(place)}`,
            detail: "Copy nested objects and lists, too. Restart the service to drop what was changed.",
          };
      }
    },
    prevent: ({ name, how }) => {
      const detail = "A value that can't change fails at the first attempt to change it.";
      switch (how) {
        case "default":
          return null;
        case "result":
        case "result-argument":
          return { title: `Return a value that can't change from ${inlineCode(name)}`, detail };
        default:
          return { title: `Freeze all levels of ${inlineCode(name)}`, detail };
      }
    },
    confirmedBy: ({ name, how }) =>
      isResult(how)
        ? `two calls of ${inlineCode(name)} return different values for the same arguments`
        : `${inlineCode(name)} differs from its value at the start of the process`,
    ruledOutBy: ({ name, how }) =>
      isResult(how)
        ? `${inlineCode(name)} still returns its first value when the failure occurs`
        : `${inlineCode(name)} still has its first value when the failure occurs`,
  },
  repair: ({ name, how }) => (how === "default" ? [{ by: "default", name }] : []),
  isUntrained: true,
  decides: { weight: 0.7 },
  isOrigin: () => true,
});

function isResult(how: string): boolean {
  return how === "result" || how === "result-argument";
}
