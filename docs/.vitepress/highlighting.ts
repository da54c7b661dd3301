import { createCssVariablesTheme, type ShikiTransformer, type ThemeRegistration } from "shiki";

/** Names a variable for each kind of token, of which `theme/highlighting.css` makes colors. */
export const theme: ThemeRegistration = createCssVariablesTheme({ name: "whence", fontStyle: false });

/** The site's policy refuses styles in attributes: what would be a color of a token becomes its class. */
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
