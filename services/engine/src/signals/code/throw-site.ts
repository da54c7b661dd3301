import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { isUnnamed, thrownText } from "../../words/thrown.ts";
import { codeKind } from "./code-kind.ts";
import { failing, throwsHere } from "./throwing.ts";

/** Messages of operators, member accesses, and formats, and those that name their call: another on the line is fine. */
const ownFailure =
  /\bis not (?:a function|a constructor|iterable|defined|subscriptable|callable)\b|^Cannot (?:read|set|destructure|access)\b|^Assignment to constant|\bhas no attribute\b|^unsupported operand|^Unknown format code|^unsupported format string|^[\w.]+\(\) (?:takes|got|missing)\b/;

/** The place where the runtime threw. */
export const throwSite = codeKind({
  name: "throw-site",
  means: "The runtime threw here",
  args: z.object({
    /** The expression that threw, as written. */
    expression: z.string().nullable(),
    /** Present for a call on the stack that led to the throw. */
    isCall: z.literal(true).optional(),
  }),
  example: { expression: "JSON.parse(body)" },
  link: {
    what: ({ expression, isCall, place, thrown }) => {
      if (expression === null && isCall) return `${placeText(place)} makes a call that leads to the failure`;
      if (expression === null) return failing(place, thrown);
      const isOwn = thrown !== null && ownFailure.test(thrown.message);
      const fails = `${placeText(place)} fails${isOwn ? "" : ` in ${inlineCode(expression)}`}`;
      return thrown === null || isUnnamed(thrown) ? fails : `${fails} with ${inlineCode(thrownText(thrown))}`;
    },
    ruledOutBy: ({ place }) => `the same error occurs with a stack that doesn't pass ${placeText(place)}`,
  },
  ranks: { place: throwsHere },
  throws: "here",
  isOnlySeen: () => true,
});
