import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const otherVersion = gapKind({
  name: "other-version",
  means: "A file of another version than the one that ran",
  args: z.object({
    file: z.string(),
    /** The line in the stack; 1-based. */
    line: z.number(),
    /** The code that the stack prints for it; null when it prints none. */
    code: z.string().nullable(),
    /** The line that has this code in the file; null when none has it. */
    now: z.number().nullable(),
    /** What the line holds instead of code; absent where it may hold some. */
    holds: z.enum(["blank", "comment"]).optional(),
  }),
  example: { file: "shop/prices.py", line: 14, code: 'total += row["amount"]', now: 31 },
  sentence: ({ file, line, code, now, holds }) => {
    const printed = code === null ? "" : `, ${inlineCode(code)},`;
    const found = holds ? holding[holds] : now === null ? `isn't there` : `is line ${now} there`;
    return `Source: ${inlineCode(file)} is of another version than the one that ran: the stack's line ${line}${printed} ${found}.`;
  },
});

const holding = { blank: "is blank there", comment: "is a comment there" } as const;
