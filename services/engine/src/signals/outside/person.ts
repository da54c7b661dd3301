import { inlineCode } from "../../words/prose.ts";

/** Returns a person's name unchanged; any other text is shown as code, because it comes from outside. */
export function personText(name: string): string {
  const isName = /^\p{L}[\p{L}\p{M}'’ -]{0,60}$/u.test(name);
  return isName ? name : inlineCode(name);
}
