import {
  analyzeRequestSchema,
  type FileContent,
  type Observed,
  type ValidationError,
  validationErrors,
  violation,
} from "@whence/protocol";
import { type PackedText, packText } from "@whence/storage/packed-text";
import { titleOf } from "./title.ts";

/** The text of an analyze request. */
export interface AskedText {
  readonly title: string;
  readonly input: PackedText;
}

export type AnalysisBody =
  | { readonly kind: "valid"; readonly asked: AskedText }
  | { readonly kind: "invalid"; readonly detail: readonly ValidationError[] };

/** Parses and validates the JSON of an analyze request, and packs what is stored. The largest takes 200 ms. */
export async function readAnalysisBody(body: Uint8Array): Promise<AnalysisBody> {
  if (body.length === 0) return invalid(violation(["body"], "missing", "Field required").detail);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return invalid(violation(["body"], "json_invalid", "JSON decode error").detail);
  }
  const { data, error } = analyzeRequestSchema.safeParse(value);
  if (error) return invalid(validationErrors(error.issues, value, "body"));
  return { kind: "valid", asked: await askedText(data.error_log, data.files ?? [], data.observed) };
}

/** Returns a text with its files, with a title and packed. */
export async function askedText(
  errorLog: string,
  files: readonly FileContent[],
  observed?: Observed | null,
): Promise<AskedText> {
  return { title: titleOf(errorLog, files), input: await packText(errorLog, files, observed) };
}

function invalid(detail: readonly ValidationError[]): AnalysisBody {
  return { kind: "invalid", detail };
}
