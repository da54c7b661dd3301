import { incidentStatuses, lifecycleStates, severities, triggerKinds } from "@whence/protocol";
import type { IncidentTerm } from "@whence/storage";
import { z } from "zod";

const searchLengthMax = 200;

function fieldTerm<const Field extends string, Value extends string>(field: Field, value: z.ZodType<Value>) {
  return z.object({ isNegated: z.boolean(), field: z.literal(field), oneOf: z.array(value) });
}

function choiceTerm<const Field extends string, const Value extends string>(field: Field, values: readonly Value[]) {
  return fieldTerm(field, z.enum(values, { error: `\`${field}:\` can be ${values.join(", ")}` }));
}

/** The fields that a search can name, with the values that they can have. */
const fieldTerms = [
  fieldTerm("service", z.string()),
  fieldTerm("env", z.string()),
  fieldTerm("release", z.string()),
  fieldTerm("fingerprint", z.string()),
  choiceTerm("is", lifecycleStates),
  choiceTerm("status", incidentStatuses),
  choiceTerm("severity", severities),
  choiceTerm("trigger", triggerKinds),
] as const;
const textTerm = z.object({ isNegated: z.boolean(), field: z.literal("text"), text: z.string() });
const termsSchema = z.array(z.discriminatedUnion("field", [textTerm, ...fieldTerms]));

const names = fieldTerms.map(({ shape }) => shape.field.value).join("|");
/** A term as it is written: `service:cart,orders`, `-is:open`, `"out of stock"` (also while its end is missing), `timeout`. */
const writtenTerm: RegExp = new RegExp(`(-?)(?:(${names}):)?(?:"([^"]*)(?:"|$)|(\\S+))`, "g");

/**
 * A search, such as `service:cart,orders is:open -release:1.1.0 "out of stock"`, as its terms. Several values of a field
 * are alternatives, and a minus negates. Words with another name before a colon, such as `TypeError:`, are text.
 */
export const incidentSearchSchema = z
  .string()
  .max(searchLengthMax)
  .transform((search, context) => {
    const terms = termsSchema.safeParse([...search.matchAll(writtenTerm)].map(readTerm));
    for (const { message } of terms.error?.issues ?? []) context.addIssue(message);
    return terms.data ?? z.NEVER;
  });

function readTerm([, minus, field, quoted, word = ""]: RegExpExecArray): unknown {
  const isNegated = minus === "-";
  if (field === undefined) return { isNegated, field: "text", text: quoted ?? word };
  return { isNegated, field, oneOf: quoted === undefined ? word.split(",") : [quoted] };
}

/** Returns the terms of a search for the store; states are those at a moment (RFC 3339). */
export function termsAt(terms: z.infer<typeof incidentSearchSchema>, at: string): IncidentTerm[] {
  return terms.map((term) => (term.field === "is" ? { ...term, field: "state", at } : term));
}
