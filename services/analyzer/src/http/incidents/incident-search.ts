import { type Actor, incidentStatuses, lifecycleStates, severities, triggerKinds, violation } from "@whence/protocol";
import type { IncidentTerm } from "@whence/storage";
import { z } from "zod";

const searchLengthMax = 200;
/** The owners that can be named besides members. */
const [me, noOne] = ["me", "none"] as const;

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
  fieldTerm("owner", z.string()),
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

/** When, and by whom, incidents are searched. */
interface Search {
  /** RFC 3339. */
  readonly at: string;
  readonly by: Actor;
}

/** Returns the terms of a search for the store; throws 422 for `owner:me` where no member asks. */
export function termsFor(terms: z.infer<typeof incidentSearchSchema>, { at, by }: Search): IncidentTerm[] {
  return terms.map((term) => {
    if (term.field === "is") return { ...term, field: "state", at };
    return term.field === "owner" ? { ...term, oneOf: term.oneOf.map((owner) => ownerFor(owner, by, "search")) } : term;
  });
}

/** The term that limits a list to an owner, as `owner:` does; none without one. */
export function ownedBy(owner: string | undefined, by: Actor): IncidentTerm[] {
  return owner === undefined ? [] : [{ isNegated: false, field: "owner", oneOf: [ownerFor(owner, by, "owner")] }];
}

function ownerFor(owner: string, by: Actor, parameter: "search" | "owner"): string | null {
  if (owner === noOne) return null;
  if (owner !== me) return owner;
  if (by.kind === "member") return by.id;
  throw violation(["query", parameter], "value_error", "A key is no member: name one by their id or email address");
}
