import fc from "fast-check";
import { z } from "zod";

/** The keywords of JSON Schema that the interface descriptions use. */
const schemaSchema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.json().optional(),
  enum: z.array(z.json()).optional(),
  anyOf: z.array(z.json()).optional(),
  oneOf: z.array(z.json()).optional(),
  properties: z.record(z.string(), z.json()).optional(),
  required: z.array(z.string()).optional(),
  items: z.json().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
});

const depthMax = 5;
const stringLengthMax = 300;

/** Text that has broken parsers, databases, and pages before. */
const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: stringLengthMax }),
  fc.constantFrom("", "\u0000", "\ud800", "%00", "../../etc/passwd", "' OR 1=1 --", "<script>", "1e999", "-0", "NaN"),
);

/** What a caller may send for a schema: mostly what it takes, with odd texts, and now and then anything else. */
export function valuesOf(schema: unknown, components: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 7, arbitrary: fitting(schema, components, 0) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
}

function fitting(schema: unknown, components: Readonly<Record<string, unknown>>, depth: number): fc.Arbitrary<unknown> {
  const { $ref, type, anyOf, oneOf, properties = {}, required = [], items, ...rest } = schemaSchema.parse(schema);
  const inner = (one: unknown): fc.Arbitrary<unknown> => fitting(one, components, depth + 1);
  if (depth > depthMax) return fc.constant(null);
  if ($ref !== undefined) return inner(components[$ref.split("/").at(-1) ?? ""] ?? {});
  if (rest.const !== undefined) return fc.constant(rest.const);
  if (rest.enum) return fc.constantFrom(...rest.enum);
  const choices = anyOf ?? oneOf;
  if (choices) return fc.oneof(...choices.map(inner));
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => inner({ ...rest, type: one })));
  switch (type) {
    case "string":
      return textOf(rest);
    case "integer":
    case "number":
      return numberOf(rest);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(inner(items ?? {}), { maxLength: 3 });
    case "object":
      return fc.record(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])), {
        requiredKeys: required.filter((name) => name in properties),
      });
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

type Bounds = z.infer<typeof schemaSchema>;

/** On both sides of the bounds, and at them. */
function textOf({ minLength = 0, maxLength = stringLengthMax }: Bounds): fc.Arbitrary<string> {
  const lengths = [minLength - 1, minLength, maxLength, maxLength + 1].filter(
    (length) => length >= 0 && length < 5_000,
  );
  return fc.oneof(
    oddText,
    fc.constantFrom(...lengths).map((length) => "x".repeat(length)),
  );
}

function numberOf({ minimum = -1, maximum = 1_000 }: Bounds): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(minimum - 1, minimum, maximum, maximum + 1, 0.5, 2 ** 53),
    fc.integer({ min: Math.ceil(minimum), max: Math.max(Math.ceil(minimum), Math.floor(maximum)) }),
  );
}
