import { categories } from "@whence/protocol";
import { z } from "zod";
import type { Signature } from "../findings/signature.ts";

const line = z.string().min(1);
/** A sentence, or several variants: the first whose placeholders all have a value is used. */
const sentence = z.union([line, z.array(line).min(2)]).transform((text) => (typeof text === "string" ? [text] : text));
const names = z.array(line).min(1);

/** A signature as its YAML file holds it: a known failure with what it looks like and real lines of output. */
export const signatureSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(\.[a-z0-9]+(-[a-z0-9]+)*)$/),
  category: z.enum(categories),
  match: z.strictObject({
    /** Names of the error type; narrows what `code` and `message` match. */
    type: names.optional(),
    /** Error codes, reasons and names, as a property, as the type, or spelled in a message. */
    code: names.optional(),
    /** Templates (see template.ts); one of them must match the message or line. */
    message: names.optional(),
    /** Templates for what is next to the error: `code: …`, `at function`, `thrown in file`, `ended the process`. */
    beside: names.optional(),
  }),
  /** One sentence that names the failure. `{name}` stands for what the gap of that name took. */
  meaning: sentence,
  /** A clause: an observation that confirms this failure. */
  confirms: sentence,
  /** A clause: an observation that rules this failure out. */
  rulesOut: sentence,
  /** What to do first; absent when nothing specific can be said. */
  fixNow: sentence.optional(),
  /** What keeps it from happening again; absent when nothing specific can be said. */
  prevent: sentence.optional(),
  /** Signatures that match some of the same errors and say less about them; they are left out when this one matches. */
  over: names.optional(),
  /** Documentation by the project or vendor that raises the error. */
  url: z.url({ protocol: /^https$/ }),
  /** Real output that this signature must match. */
  samples: names,
});

export type SignatureEntry = z.infer<typeof signatureSchema>;

/** Returns the signature with, for each text, the first variant whose placeholders all have a value. */
export function describeMatch(entry: SignatureEntry, groups: Readonly<Record<string, string>>): Signature {
  const complete = (variants: readonly string[] | undefined): string | undefined =>
    variants?.find((text) => placeholdersIn(text).every((name) => groups[name] !== undefined));
  const { id, category, url } = entry;
  const [meaning = "", confirms = "", rulesOut = ""] = [entry.meaning, entry.confirms, entry.rulesOut].map(complete);
  const [fixNow, prevent] = [entry.fixNow, entry.prevent].map(complete);
  return { id, category, url, meaning, confirms, rulesOut, ...(fixNow && { fixNow }), ...(prevent && { prevent }) };
}

/** Returns the names of the placeholders in a text or template. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(/(?<!\$)\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
}
