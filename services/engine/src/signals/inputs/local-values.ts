import { locationSchema } from "@whence/protocol";
import { z } from "zod";
import { inlineCode, list, placeText } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";

const localValueSchema = z
  .object({
    /** The variable, or a property of it: `order.total`. */
    name: z.string(),
    /** As the language writes it. */
    value: z.string(),
  })
  .readonly();

/** What a local variable was when the error was thrown. */
export type LocalValue = z.output<typeof localValueSchema>;

export const localValues = inputKind({
  name: "local-values",
  means: "What the variables of the failing code were when the error was thrown",
  data: z.object({ place: locationSchema, values: z.array(localValueSchema).min(1).readonly() }),
  example: {
    place: { file: "src/orders.ts", line: 31, function: "reserveStock" },
    values: [{ name: "order.quantity", value: "-1" }],
  },
  evidence: ({ place, values }) => `${valuesText(values)} in ${placeText(place)}`,
  shown: ({ place, values }, shown) => ({ place: { ...place, file: shown(place.file) }, values }),
});

/** Returns what some variables were, as a clause. */
export function valuesText(values: readonly LocalValue[]): string {
  return list(values.map(({ name, value }) => `${inlineCode(name)} is ${inlineCode(value)}`));
}
