import { type CodeSignal, type CodeSignalKind, kindOf } from "../../signals/signal.ts";
import type { LinkWords } from "../../words/link-words.ts";
import type { Link, LinkArgs, LinkKind, LinkOf } from "../link.ts";
import { links } from "./links.ts";

/** The sentences about one link. */
export type LinkText = { readonly [P in keyof LinkWords<never>]-?: () => ReturnType<Required<LinkWords<never>>[P]> };

/** Returns the sentences about a link, from the words of its kind. */
export function linkText(link: Link): LinkText {
  return link.kind === "code" ? ofSignal(link.args) : ofLink(link);
}

type Uncoded = Exclude<LinkKind, "code">;

function ofLink<K extends Uncoded>(link: { [P in K]: LinkOf<P> }[K]): LinkText {
  const words: LinkWords<LinkArgs[K]> = links[link.kind].link;
  return bound(words, link.args);
}

function ofSignal<K extends CodeSignalKind>({
  signal,
  ...seen
}: Omit<LinkArgs["code"], "signal"> & { readonly signal: CodeSignal<K> }): LinkText {
  return bound(kindOf<K>(signal).link, { ...signal.args, ...seen });
}

function bound<Args>({ what, fix, prevent, confirmedBy, ruledOutBy }: LinkWords<Args>, args: Args): LinkText {
  return {
    what: () => what(args),
    fix: () => fix?.(args) ?? null,
    prevent: () => prevent?.(args) ?? null,
    confirmedBy: () => confirmedBy?.(args) ?? null,
    ruledOutBy: () => ruledOutBy?.(args) ?? null,
  };
}
