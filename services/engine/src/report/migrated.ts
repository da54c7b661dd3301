import type { EventFacts } from "../findings/event-facts.ts";

/** Longer messages aren't a statement about one migration. */
const statementUnitsMax = 300;

const who = String.raw`(?:(?:db|database|migrate|migrations?|migrator): |\[(?:db|database|migrate|migrations?|migrator)\] )?`;
const name = String.raw`["'\x60]?(?<name>[\w./-]{1,200}?)["'\x60]?`;
const end = String.raw`(?: successfully)?(?: ?\(?(?:in )?\d[\d.]* ?m?s\)?)?[.!]?`;

/** Whole statements that one named migration has run. Whatever else a message says may deny it. */
const statements: readonly RegExp[] = [
  new RegExp(`^${who}(?:successfully )?(?:migrated|(?:applied|ran|executed) (?:the )?migration):? ${name}${end}$`, "i"),
  new RegExp(
    `^${who}migration ${name} (?:was |has been )?(?:applied|completed?|done|succeeded|executed|ran)${end}$`,
    "i",
  ),
];

/** How files of migrations are named: `003_accounts.sql`, `V3__accounts`, `20260301_accounts`. */
const fileName = /^[\w./-]*[a-z][\w.-]*\.(?:sql|[cm]?[jt]s|py|rb|php|xml|ya?ml)$|(?:^|\/)V?\d+_+[a-z][\w-]*$/i;

/** What takes a migration back, or says that it or another failed. */
const undone = /\bfail|\broll|\brevert|\bundo|\bdown\b|\berror\b|\bnot\b/i;

/** Returns whether the failing process logged that a migration has run, with its file or the table that is `missing`. */
export function loggedMigration(event: EventFacts | null, missing: readonly string[]): boolean {
  const messages = (event?.breadcrumbs ?? []).flatMap(({ level, message = "" }) =>
    message.length > statementUnitsMax ? [] : [{ message, isBad: level === "error" || level === "critical" }],
  );
  const denied = (ran: string): boolean =>
    messages.some(
      ({ message, isBad }) => (message.includes(ran) || /\bmigrat/i.test(message)) && (isBad || undone.test(message)),
    );
  return messages.some(({ message }) => {
    const ran = statements.map((one) => one.exec(message.trim())?.groups?.name).find((one) => one !== undefined);
    return ran !== undefined && (fileName.test(ran) || missing.includes(ran)) && !denied(ran);
  });
}

/** Returns a sentence about a database without the suspicion that a migration hasn't run. */
export function withoutPending(text: string): string {
  return text
    .replace(/: a migration hasn't run\b.*$/s, ".")
    .replace(/^If a migration .{0,80}?, run it; otherwise /s, "");
}
