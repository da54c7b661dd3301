import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

const binding = {
  loop: "Pass it as a default argument, or through `functools.partial`, so that each function keeps its own.",
  var: "Declare it with `const` or `let` inside the loop, so that each function keeps its own.",
};
const checks = { loop: "Ruff's rule `B023`", var: "ESLint's rules `no-loop-func` and `no-var`" };

/** A function that is made in a loop and kept, and that reads the loop's variable when it is called. */
export const lateBinding = codeKind({
  name: "late-binding",
  means: "A function made in a loop reads a variable of the loop when it is called later: they all see the last value",
  args: z.object({
    /** The variable that all of these functions share. */
    name: z.string(),
    /** Whether loops share their variables, or `var` makes this one shared. */
    how: z.enum(["loop", "var"]),
  }),
  example: { name: "handler", how: "loop" },
  link: {
    what: ({ name, place }) =>
      `${placeText(place)} keeps a function that reads ${inlineCode(name)} when it is called, after the loop has changed it`,
    fix: ({ name, how, place }) => ({ title: `Bind ${inlineCode(name)} at ${placeText(place)}`, detail: binding[how] }),
    prevent: ({ name, how }) => ({
      title: `Turn on ${checks[how]}`,
      detail: `A linter finds functions that read ${inlineCode(name)} after the loop has changed it.`,
    }),
    confirmedBy: ({ name }) => `${inlineCode(name)} has the same value in each of these functions`,
    ruledOutBy: ({ name }) => `${inlineCode(name)} has another value in each of these functions`,
  },
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
});
