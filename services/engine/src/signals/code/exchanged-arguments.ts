import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

const argument = z.object({
  /** The code of the argument. */
  code: z.string(),
  /** The parameter that gets it. */
  as: z.string(),
});

/** Two arguments of a call in each other's place. */
export const exchangedArguments = codeKind({
  name: "exchanged-arguments",
  means: "A call passes two arguments in each other's place, by the names of the parameters or by all other calls",
  args: z.object({ callee: z.string(), first: argument, second: argument }),
  example: { callee: "Table.between", first: { code: "to", as: "from" }, second: { code: "from", as: "to" } },
  link: {
    what: ({ callee, first, second, place }) =>
      `${placeText(place)} passes ${inlineCode(first.code)} as ${inlineCode(first.as)} and ${inlineCode(second.code)} as ${inlineCode(second.as)} to ${inlineCode(callee)}`,
    fix: ({ callee, first, second, place }) => ({
      title: `Exchange ${inlineCode(first.code)} and ${inlineCode(second.code)} in the call of ${inlineCode(callee)} at ${placeText(place)}`,
      detail: `${inlineCode(callee)} takes ${inlineCode(first.as)} before ${inlineCode(second.as)}.`,
    }),
    prevent: ({ callee }) => ({
      title: `Let callers of ${inlineCode(callee)} name its arguments`,
      detail: "Named arguments, an options object, or a type for each can't be exchanged unnoticed.",
    }),
    confirmedBy: ({ callee }) => `the same call of ${inlineCode(callee)} works with the two arguments exchanged`,
    ruledOutBy: ({ first, place }) =>
      `${inlineCode(first.as)} had the value that it should have in the failing call at ${placeText(place)}`,
  },
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
});
