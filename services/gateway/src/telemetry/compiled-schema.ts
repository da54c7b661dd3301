import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";

/**
 * A check compiled from a schema, about ten times as fast as the schema itself. What it lets pass the schema would
 * give back unchanged: nothing to strip, no default to fill in. What it refuses may still be valid after such a
 * change, so the schema decides about that, and says what is wrong.
 */
export function compileSchema<Value>(schema: z.ZodType<Value>): (value: unknown) => value is Value {
  const refined: z.core.$ZodType[] = [];
  const jsonSchema = z.toJSONSchema(schema, {
    io: "output",
    override({ zodSchema, jsonSchema }) {
      if (isRefined(zodSchema)) jsonSchema[refinedBy] = refined.push(zodSchema) - 1;
    },
  });
  // As zod: lengths in UTF-16 units, no flags on patterns; a format's rule is its pattern.
  const ajv = new Ajv2020({
    unicode: false,
    unicodeRegExp: false,
    validateFormats: false,
    keywords: [],
    logger: false,
  });
  ajv.addKeyword({
    keyword: refinedBy,
    validate: (index: number, value: unknown) => z.safeParse(refined[index] ?? z.never(), value).success,
  });
  return ajv.compile<Value>(jsonSchema);
}

/** A function of the schema's own, which JSON Schema cannot say, is left to zod. */
const refinedBy = "refinedBy";

function isRefined({ _zod }: z.core.$ZodTypes): boolean {
  return _zod.def.checks?.some((check) => check._zod.def.check === "custom") ?? false;
}
