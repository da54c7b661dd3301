import { _, Ajv2020, type KeywordCxt } from "ajv/dist/2020.js";
import { z } from "zod";

/** Our own keywords. */
const refinedBy = "refinedBy";
const codePointsMax = "codePointsMax";
/** The only field name that zod leaves out of a record. */
const leftOut = "__proto__";

/**
 * Compiles a validator from a schema on first use, which takes 50 ms; it is about ten times as fast as the schema. It
 * accepts only values that the schema would return unchanged, with nothing to strip and no default to add. The schema
 * itself decides about a rejected value, which may be valid after such a change, and says what is wrong.
 */
export function compiledWhenUsed<Value>(schema: z.ZodType<Value>): (value: unknown) => value is Value {
  let check: ((value: unknown) => value is Value) | undefined;
  return (value): value is Value => {
    check ??= compileSchema(schema);
    return check(value);
  };
}

/** Compiles a validator. Throws for a schema that JSON Schema can't express. */
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

/** Whether the schema has a refinement function, which JSON Schema can't express and zod runs. */
function isRefined({ _zod }: z.core.$ZodTypes): boolean {
  return _zod.def.checks?.some((check) => check._zod.def.check === "custom") ?? false;
}

/**
 * Optimizes `maxLength`, which counts code points: there are never more of them than UTF-16 units, whose number is
 * known.
 */
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
