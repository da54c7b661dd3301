import type { UserConfig } from "vitepress";

type VitePlugin = Extract<NonNullable<NonNullable<UserConfig["vite"]>["plugins"]>[number], { readonly name: string }>;

const inner = /role="button"\s+aria-label="toggle section"/;
const innerFocus = /(@keydown\.enter="onCaretClick")\s+tabindex="0"/;
const outer = ':role="itemRole"';

/**
 * Leaves a collapsible group of the sidebar one button, which says whether it is open. The theme has a second one in
 * it, which screen readers can't reach.
 */
export const sidebarButtons: VitePlugin = {
  name: "sidebar-buttons",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("/VPSidebarItem.vue")) return null;
    if (!inner.test(code) || !innerFocus.test(code) || !code.includes(outer))
      throw new TypeError("the theme's sidebar has changed: see which of its parts are buttons now");
    return code
      .replace(inner, 'aria-hidden="true"')
      .replace(innerFocus, "$1")
      .replace(outer, `${outer} :aria-expanded="itemRole && item.items ? !collapsed : undefined"`);
  },
};
