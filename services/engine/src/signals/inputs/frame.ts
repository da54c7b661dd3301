import { locationSchema } from "@whence/protocol";
import { z } from "zod";
import { placeText } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";

export const frame = inputKind({
  name: "frame",
  means: "A call on the stack",
  data: z.object({ place: locationSchema }),
  example: { place: { file: "src/orders.ts", line: 31, function: "reserveStock" } },
  evidence: ({ place }) => placeText(place),
  shown: ({ place }, shown) => ({ place: { ...place, file: shown(place.file) } }),
});
