/** A member as a comment may name them. */
export interface Mentionable {
  readonly name: string;
  readonly email: string;
}

/** Characters that continue a name, so that `@Adam` doesn't match Ada. */
const goesOn = /[\p{L}\p{N}_@]/u;
const mark = "@";

/**
 * The members whom a text names with `@` and their name or email address, in their own order. The longest name wins, and
 * a name that several members have means all of them.
 */
export function mentionedIn<Member extends Mentionable>(text: string, members: readonly Member[]): Member[] {
  const named = new Set<string>();
  const names = [...new Set(members.flatMap(namesOf))].sort((a, b) => b.length - a.length);
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    if (goesOn.test(text.charAt(at - 1))) continue;
    const name = names.find((one) => isNameAt(text, at + mark.length, one));
    if (name !== undefined) named.add(name);
  }
  return members.filter((member) => namesOf(member).some((name) => named.has(name)));
}

function namesOf({ name, email }: Mentionable): string[] {
  return [name, email].map((one) => one.trim().toLowerCase()).filter((one) => one !== "");
}

function isNameAt(text: string, start: number, name: string): boolean {
  const end = start + name.length;
  return text.slice(start, end).toLowerCase() === name && !goesOn.test(text.charAt(end));
}
