import { createCssVariablesTheme, type ShikiTransformer, type ThemeRegistration } from "shiki";

/** A theme with a variable for each kind of token, to which `theme/highlighting.css` assigns colors. */
export const theme: ThemeRegistration = createCssVariablesTheme({ name: "whence", fontStyle: false });

/** Replaces the color of a token by a class, since the site's policy blocks style attributes. */
export const colorsAsClasses: ShikiTransformer = {
  name: "colors-as-classes",
  span(node) {
    const [, kind] = /--shiki-token-([a-z-]+)/.exec(String(node.properties.style ?? "")) ?? [];
    delete node.properties.style;
    if (kind !== undefined) this.addClassToHast(node, `token-${kind}`);
  },
  pre(node) {
    delete node.properties.style;
  },
};
