import { z } from "zod";
import { placeText } from "../../words/prose.ts";
import { changeKind } from "./change-kind.ts";

export const functionChange = changeKind({
  name: "function",
  means: "Another line of a function that the failure passes",
  args: z.object({ file: z.string(), line: z.number() }),
  example: { file: "src/orders.ts", line: 31 },
  text: (_, place) => `changed ${placeText(place)}`,
  order: () => 5,
  isOfPlace: true,
  weight: () => ({ near: 0.15, suspect: 0.3 }),
});
