import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A default or constant that is handed out without a copy, and that code changes. */
export const sharedDefault = codeKind({
  name: "shared-default",
  means:
    "A default or constant is handed out without a copy of all its levels, and code changes it for every later use",
  args: z.object({
    name: z.string(),
    /** The code that changes it. */
    change: z.string(),
    how: z.enum(["default", "constant", "copy"]),
  }),
  example: { name: "DEFAULT_HEADERS", change: "headers.token = token", how: "constant" },
  link: {
    what: ({ name, change, how, place }) =>
      how === "copy"
        ? `${placeText(place)} copies one level of ${inlineCode(name)}, and ${inlineCode(change)} changes the others for all`
        : how === "default"
          ? `${placeText(place)} gives ${inlineCode(name)} one default for all calls, and ${inlineCode(change)} changes it`
          : `${placeText(place)} hands out ${inlineCode(name)} itself, and ${inlineCode(change)} changes it`,
    fix: ({ name, how, place }) =>
      how === "default"
        ? {
            title: `Create ${inlineCode(name)} in each call of ${placeText(place)}`,
            detail: "A default value is made once and shared by all calls. Restart the service to drop what was added.",
          }
        : {
            title: `Copy ${how === "copy" ? "all levels of " : ""}${inlineCode(name)} at ${placeText(place)}`,
            detail: "Copy nested objects and lists, too. Restart the service to drop what was changed.",
          },
    prevent: ({ name, how }) =>
      how === "default"
        ? null
        : {
            title: `Freeze ${inlineCode(name)}`,
            detail: "A constant that can't change fails at the first attempt to change it.",
          },
    confirmedBy: ({ name }) => `${inlineCode(name)} differs from its value at the start of the process`,
    ruledOutBy: ({ name }) => `${inlineCode(name)} still has its first value when the failure occurs`,
  },
  repair: ({ name, how }) => (how === "default" ? [{ by: "default", name }] : []),
  isUntrained: true,
  decides: { weight: 0.7 },
  isOrigin: () => true,
});
