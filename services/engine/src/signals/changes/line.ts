import { z } from "zod";
import { placeText } from "../../words/prose.ts";
import { changeKind } from "./change-kind.ts";

export const line = changeKind({
  name: "line",
  means: "A line that the failure passes",
  args: z.object({ file: z.string(), line: z.number() }),
  example: { file: "src/orders.ts", line: 31 },
  text: (_, place) => `changed ${placeText(place)}`,
  order: () => 3,
  isOfPlace: true,
  weight: () => ({ near: 0.45, suspect: 0.6 }),
});
