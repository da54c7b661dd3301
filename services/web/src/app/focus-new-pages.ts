import type { AnyRouter } from "@tanstack/react-router";

/**
 * Moves the focus to the heading of a page after navigation, so that keyboard users continue there and screen readers
 * announce the page. Not when only the page's parameters changed, and not on the first page.
 */
export function focusNewPages(router: AnyRouter): void {
  router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return;
    document.querySelector<HTMLElement>("[data-page-title]")?.focus({ preventScroll: true });
  });
}
