import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { changeKind } from "./change-kind.ts";

export const dependency = changeKind({
  name: "dependency",
  means: "The version of a package that the failure passes, or the major version of one that the failing line uses",
  args: z.object({ name: z.string(), from: z.string().nullable(), to: z.string().nullable() }),
  example: { name: "undici", from: "6.19.0", to: "7.0.0" },
  text: ({ name, from, to }) => {
    if (from === null) return `added the dependency ${inlineCode(name)}`;
    if (to === null) return `removed the dependency ${inlineCode(name)}`;
    return `changed the dependency ${inlineCode(name)} from ${inlineCode(from)} to ${inlineCode(to)}`;
  },
  order: () => 2,
});
