import { type FunctionComponent, type LazyExoticComponent, lazy, type ReactNode } from "react";
import { toasts } from "./toasts.tsx";

let isSaid = false;

/** What a part shows when it can't be loaded; nothing by default. */
export interface Replaceable {
  readonly instead?: ReactNode;
}

/**
 * A part of a page that loads when it is first shown. An open page outlives a deploy, which takes away the files it was
 * built with: then `instead` is shown, the rest of the page works on, and a notice offers to reload it.
 */
export function lazyPart<Props>(
  load: () => Promise<{ readonly default: FunctionComponent<Props> }>,
): LazyExoticComponent<FunctionComponent<Props & Replaceable>> {
  return lazy<FunctionComponent<Props & Replaceable>>(() => load().catch(replacement));
}

/** How Chromium, Firefox, and Safari say that a script couldn't be loaded, and Vite that a style sheet couldn't. */
const notLoaded = /dynamically imported module|Importing a module script failed|Unable to preload CSS/;

/** Whether an error says that a part of the application couldn't be loaded. */
export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && notLoaded.test(error.message);
}

/** Returns what is shown for a part that is gone; throws what any other failed part threw. */
function replacement(error: unknown): { default: FunctionComponent<Replaceable> } {
  if (!isMissingPart(error)) throw error;
  offerReload();
  return { default: ({ instead = null }) => instead };
}

/** Offers to reload the page, once: a reload brings every part at once. */
function offerReload(): void {
  if (isSaid) return;
  isSaid = true;
  toasts.add({
    title: "Part of this page couldn't be loaded",
    description: "Whence was updated, or the connection failed. Reload the page to use it.",
    action: { label: "Reload page", run: () => location.reload() },
    stays: true,
  });
}
