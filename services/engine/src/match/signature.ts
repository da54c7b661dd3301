import { categories } from "@whence/protocol";
import { z } from "zod";
import type { Signature } from "../findings/signature.ts";
import { type Language, languageNames } from "../source/languages/languages.ts";

const line = z.string().min(1);

/** One wording of a text of a signature. */
export interface Variant {
  /** Null when it fits errors of any language. */
  readonly language: Language | null;
  readonly text: string;
}
/** A text for errors of any language, or `language: text`, which names something that only this language has. */
const variant = z
  .union([line.transform((text) => ({ any: text })), z.partialRecord(z.enum(["any", ...languageNames]), line)])
  .transform((texts): readonly Variant[] =>
    Object.entries(texts).map(([of, text]) => ({ language: languageNames.find((name) => name === of) ?? null, text })),
  );
/** A sentence, or several variants: the first that fits the language and whose placeholders all have a value is used. */
const sentence = z
  .union([variant.transform((variants) => [variants]), z.array(variant).min(2)])
  .transform((variants): readonly Variant[] => variants.flat());
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
    /**
     * Templates for what is next to the error: `code: …`, `at function`, `thrown in file`, `ended the process`. All must
     * match; of a list, one.
     */
    beside: z
      .array(z.union([line, names]))
      .min(1)
      .optional(),
    /** Templates for the line of code that failed, where the error shows it or its source was given; one must match. */
    line: names.optional(),
  }),
  /** The only language whose runtime or libraries fail like this; absent when any may. */
  language: z.enum(languageNames).optional(),
  /** Whether the platform that ended or rejected the program says so itself, which leaves no doubt about what happened. */
  isStated: z.literal(true).optional(),
  /** One sentence that names the failure. `{name}` stands for what the gap of that name took. */
  meaning: sentence,
  /** A clause: an observation that confirms this failure; absent when only the error's own message says what to check. */
  confirms: sentence.optional(),
  /** A clause: an observation that rules this failure out; absent with the other clause. */
  rulesOut: sentence.optional(),
  /** What to do first, whenever the signature matches; absent when the same words can call for something else. */
  fixNow: sentence.optional(),
  /** What keeps it from happening again; absent when nothing specific can be said. */
  prevent: sentence.optional(),
  /** Signatures that match some of the same errors and say less about them; they are left out when this one matches. */
  over: names.optional(),
  /** Documentation by the project or vendor that raises the error. */
  url: z.url({ protocol: /^https$/ }),
  /** Real output that this signature must match. */
  samples: names,
  /** Real output in the same words with another meaning, which it must not match. */
  others: names.optional(),
});

export type SignatureEntry = z.infer<typeof signatureSchema>;

/**
 * Returns the signature with, for each text, the first variant that fits the error's language and whose placeholders all
 * have a value.
 */
export function describeMatch(
  entry: SignatureEntry,
  groups: Readonly<Record<string, string>>,
  errorLanguage: Language | null = null,
): Signature {
  const complete = (variants: readonly Variant[] | undefined): string | undefined =>
    variants?.find(
      ({ text, language }) =>
        (language === null || language === errorLanguage) &&
        placeholdersIn(text).every((name) => groups[name] !== undefined),
    )?.text;
  const { id, category, url } = entry;
  const meaning = complete(entry.meaning) ?? "";
  const [confirms, rulesOut, fixNow, prevent] = [entry.confirms, entry.rulesOut, entry.fixNow, entry.prevent].map(
    complete,
  );
  const isStated = entry.isStated === true;
  return {
    id,
    category,
    url,
    isStated,
    meaning,
    ...(confirms && { confirms }),
    ...(rulesOut && { rulesOut }),
    ...(fixNow && { fixNow }),
    ...(prevent && { prevent }),
  };
}

/** Returns the names of the placeholders in a text or template. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(/(?<!\$)\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
}
