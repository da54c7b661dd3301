import { locationSchema } from "@whence/protocol";
import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";

export const codeInput = inputKind({
  name: "code",
  means: "The code around a place",
  data: z.object({
    place: locationSchema,
    /** The line itself; empty when it has no text. */
    line: z.string(),
  }),
  example: {
    place: { file: "src/orders.ts", line: 31, function: "reserveStock" },
    line: "const client = await pool.connect();",
  },
  evidence: ({ place, line }) => (line === "" ? placeText(place) : `${placeText(place)}: ${inlineCode(line)}`),
  shown: ({ place, line }, shown) => ({ place: { ...place, file: shown(place.file) }, line }),
});
