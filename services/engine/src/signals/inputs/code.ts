import { locationSchema } from "@whence/protocol";
import { z } from "zod";
import { placeText } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";

export const codeInput = inputKind({
  name: "code",
  means: "The code around a place",
  data: z.object({ place: locationSchema }),
  example: { place: { file: "src/orders.ts", line: 31, function: "reserveStock" } },
  evidence: ({ place }) => `the code at ${placeText(place)}`,
  shown: ({ place }, shown) => ({ place: { ...place, file: shown(place.file) } }),
});
