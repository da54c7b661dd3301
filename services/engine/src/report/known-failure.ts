import type { Findings } from "../findings/findings.ts";
import type { SignatureMatch } from "../findings/signature.ts";
import { isMigrated } from "../signals/change-effect.ts";
import type { Advice } from "../words/link-words.ts";
import { capital, fill, sentence } from "../words/prose.ts";
import { asksForMetVersion } from "./met-version.ts";
import { loggedMigration, withoutPending } from "./migrated.ts";

/** The sentences of a signature; null for one that needs a word missing from the error. */
export interface KnownFailure {
  readonly meaning: string | null;
  readonly confirmedBy: string | null;
  readonly ruledOutBy: string | null;
  readonly fix: Advice | null;
  readonly prevent: Advice | null;
}

/**
 * Returns the sentences of the signature that a failure matches. If a migration renamed or dropped what is missing, or
 * the process logged that a migration has run, those about a migration that wasn't run are left out; so is advice to use
 * a version that the process already had.
 */
export function knownFailure(
  { signature, groups }: SignatureMatch,
  { changes = [], event = null, error }: Partial<Pick<Findings, "changes" | "event" | "error">> = {},
): KnownFailure {
  const isOfSchema = signature.category === "schema-drift";
  const hasRun = isOfSchema && changes.some(({ effect }) => isMigrated(effect));
  const hasLogged = isOfSchema && loggedMigration(event, Object.values(groups));
  const said = (whole: string | undefined): string | null => {
    const text = whole !== undefined && hasLogged && !hasRun ? withoutPending(whole) : whole;
    return text === undefined || ((hasRun || hasLogged) && /\bmigration/i.test(text)) ? null : fill(text, groups);
  };
  const meaning = said(signature.meaning);
  const advice = (text: string | undefined): Advice | null => {
    const remedy = hasRun ? null : said(text);
    return remedy === null || (error && asksForMetVersion(remedy, error)) ? null : parted(remedy, meaning);
  };
  return {
    meaning,
    confirmedBy: said(signature.confirms),
    ruledOutBy: said(signature.rulesOut),
    fix: advice(signature.fixNow),
    prevent: advice(signature.prevent),
  };
}

/** Splits a remedy after its first clause. Without a second clause, the detail is what the remedy is for. */
function parted(remedy: string, meaning: string | null): Advice {
  // Punctuation within code or brackets, as in `server.port`, doesn't end a clause.
  const [, clause = remedy, rest = ""] =
    /^((?:`[^`]*`|\((?:`[^`]*`|[^`()])*\)|[^`(;:.]|[;:.](?!\s|$))+)[;:.]\s*(.*)$/s.exec(remedy) ?? [];
  return { title: capital(clause.trim()), detail: capital(rest.trim()) || (meaning ?? sentence(remedy)) };
}
