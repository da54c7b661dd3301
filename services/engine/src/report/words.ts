import type { LinkWords } from "../words/link-words.ts";
import type { Link } from "./link.ts";
import type { LinkText } from "./messages/link-text.ts";
import type { Messages } from "./messages.en.ts";

/** Returns what happened in a link, as a clause. */
export function whatOf(link: Link, { link: text }: Messages): string {
  return text(link).what();
}

/** Returns one of the other sentences about a link; null when there is none. */
export function partOf<P extends Exclude<keyof LinkWords<never>, "what">>(
  link: Link,
  part: P,
  { link: text }: Messages,
): ReturnType<LinkText[P]> {
  const parts: Pick<LinkText, P> = text(link);
  return parts[part]();
}
