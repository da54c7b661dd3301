import type { AnyRouter } from "@tanstack/react-router";

/**
 * Brings the focus to the heading of a page after navigation, so that a keyboard goes on there and a screen reader
 * says where one is. Not when only the parameters of the page changed, and not on the first page.
 */
export function focusNewPages(router: AnyRouter): void {
  router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return;
    document.querySelector<HTMLElement>("[data-page-title]")?.focus({ preventScroll: true });
  });
}
