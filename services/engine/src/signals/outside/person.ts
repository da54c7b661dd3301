import { inlineCode } from "../../words/prose.ts";

/** A name as people write it; anything else is shown as code, since it comes from outside. */
export function personText(name: string): string {
  const isName = /^\p{L}[\p{L}\p{M}'’ -]{0,60}$/u.test(name);
  return isName ? name : inlineCode(name);
}
