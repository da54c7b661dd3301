import type { Evidence, Location, Report } from "@whence/protocol";
import { codeAt, codeOf, type QuotedCode } from "../quoted-code.ts";

type Place = Pick<Location, "file" | "line">;

/** The lines that the cause is about: what a release changed in a file, or the code as it is. */
export type CauseLines =
  | { readonly kind: "diff"; readonly place: Place; readonly lines: readonly string[] }
  | { readonly kind: "code"; readonly quoted: QuotedCode };

/** Lines of a diff that a page shows. */
const diffLinesMax = 14;

/**
 * Returns the changed lines that the origin of the causal chain cites, or else the code at the cause. Each comes with
 * the name of the file that it was taken from. Null when neither is known.
 */
export function causeLines({ chain, evidence, root_cause: cause }: Report): CauseLines | null {
  const ids = chain[0]?.evidence_ids ?? [];
  const cited = evidence.filter(({ id }) => ids.includes(id));
  const diff = cited.find(isDiff);
  if (diff) {
    const place = diff.location ?? { file: diff.source.name, line: null };
    return { kind: "diff", place, lines: diff.excerpt.split("\n").slice(0, diffLinesMax) };
  }
  const quoted = codeAt(cause.location, evidence) ?? cited.map(codeOf).find((one) => one !== null) ?? null;
  return quoted === null ? null : { kind: "code", quoted };
}

function isDiff({ excerpt }: Evidence): boolean {
  return excerpt.startsWith("@@ ");
}
