import type { Teammate } from "../api/get-members.ts";

/** Members that are offered at once. */
const offeredMax = 5;
/** A mention at the end of a text, as far as it is written. */
const begun = /(?<![\p{L}\p{N}_@])@([^\s@]*)$/u;

/** The members that a mention at the end of a text may mean; none without one. */
export function offeredMentions(text: string, members: readonly Teammate[]): readonly Teammate[] {
  const written = begun.exec(text)?.[1]?.toLowerCase();
  if (written === undefined) return [];
  const fits = (one: string): boolean => one.toLowerCase().startsWith(written);
  return members.filter(({ name, email }) => name.split(" ").some(fits) || fits(email)).slice(0, offeredMax);
}

/** The text with its last mention completed: by name, or by email address where others have that name. */
export function withMention(text: string, { name, email }: Teammate, members: readonly Teammate[]): string {
  const isShared = members.some((other) => other.email !== email && other.name === name);
  return text.replace(begun, () => `@${isShared ? email : name} `);
}
