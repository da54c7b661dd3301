import { _, Ajv2020, type KeywordCxt } from "ajv/dist/2020.js";
import { z } from "zod";

/** Our own keywords. */
const refinedBy = "refinedBy";
const codePointsMax = "codePointsMax";
/** The one name of a field that zod leaves out of a record. */
const leftOut = "__proto__";

/**
 * A check compiled from a schema, about ten times as fast as the schema itself. What it lets pass the schema would
 * give back unchanged: nothing to strip, no default to fill in. What it refuses may still be valid after such a
 * change, so the schema decides about that, and says what is wrong. Compiled for the first value: that takes 50 ms.
 */
export function compiledWhenUsed<Value>(schema: z.ZodType<Value>): (value: unknown) => value is Value {
  let check: ((value: unknown) => value is Value) | undefined;
  return (value): value is Value => {
    check ??= compileSchema(schema);
    return check(value);
  };
}

/** Throws for a schema that JSON Schema can't express. */
export function compileSchema<Value>(schema: z.ZodType<Value>): (value: unknown) => value is Value {
  const refined: z.core.$ZodType[] = [];
  const jsonSchema = z.toJSONSchema(schema, {
    io: "output",
    override({ zodSchema, jsonSchema }) {
      if (isRefined(zodSchema)) jsonSchema[refinedBy] = refined.push(zodSchema) - 1;
      if (jsonSchema.maxLength !== undefined) jsonSchema[codePointsMax] = jsonSchema.maxLength;
      delete jsonSchema.maxLength;
      const { propertyNames } = jsonSchema;
      if (typeof propertyNames === "object")
        jsonSchema.propertyNames = { allOf: [propertyNames, { not: { const: leftOut } }] };
    },
  });
  // As in zod, patterns have no flags, and a format's rule is its pattern.
  const ajv = new Ajv2020({ unicodeRegExp: false, validateFormats: false, strictSchema: false });
  ajv.addKeyword({ keyword: codePointsMax, type: "string", error: { message: "too long" }, code: limitCodePoints });
  ajv.addKeyword({
    keyword: refinedBy,
    validate: (index: number, value: unknown) => z.safeParse(refined[index] ?? z.never(), value).success,
  });
  return ajv.compile<Value>(jsonSchema);
}

/** A function of the schema's own, which JSON Schema cannot say, is left to zod. */
function isRefined({ _zod }: z.core.$ZodTypes): boolean {
  return _zod.def.checks?.some((check) => check._zod.def.check === "custom") ?? false;
}

/** As `maxLength`, which counts each string: there are no more code points than UTF-16 units, and those are known. */
function limitCodePoints(context: KeywordCxt): void {
  const { gen, data, schema } = context;
  const count = gen.scopeValue("func", { ref: countCodePoints });
  context.fail(_`${data}.length > ${schema} && ${count}(${data}) > ${schema}`);
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _codePoint of text) count += 1;
  return count;
}
