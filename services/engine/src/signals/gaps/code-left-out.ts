import { z } from "zod";
import { gapKind } from "./gap-kind.ts";
import { fileList } from "./lists.ts";

export const codeLeftOut = gapKind({
  name: "code-left-out",
  means: "Code that was read in part, or searched for the names it defines and not followed",
  args: z.object({
    files: z.array(z.string()).readonly(),
    portion: z.enum(["around-the-stack", "searched-only"]),
    why: z.enum(["too-long", "generated", "enough-read", "nested-too-deeply"]),
  }),
  example: { files: ["dist/server.js"], portion: "around-the-stack", why: "too-long" },
  sentence: ({ files, portion, why }) => {
    const read =
      portion === "around-the-stack"
        ? "read only around the lines of the stack"
        : "only searched for the values of the error";
    return `Source: ${fileList(files)} ${files.length === 1 ? "was" : "were"} ${read}, because ${reasons[why]}.`;
  },
});

const reasons = {
  "too-long": "it is too long",
  generated: "it looks generated",
  "enough-read": "files nearer to the stack used up the reading budget",
  "nested-too-deeply": "it couldn't be parsed",
} as const;
