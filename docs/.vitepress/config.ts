import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type UserConfig } from "vitepress";
import { emptyHeads } from "./empty-heads.ts";
import { headingAnchor } from "./heading-anchor.ts";
import { colorsAsClasses, theme } from "./highlighting.ts";
import { repositoryLinks } from "./repository-links.ts";
import { apiReference, sidebar } from "./sidebar.ts";
import { sidebarButtons } from "./sidebar-buttons.ts";
import { filesOffSite, root, siteAddress } from "./site-address.ts";
import { vueOfSite } from "./vue-of-site.ts";

const icon = encodeURIComponent(readFileSync(join(root, "services/web/src/icon.svg"), "utf8"));

/** In kB; larger than the index of the search, which is loaded when someone searches. */
const chunkSizeWarningLimit = 1_000;

const config: UserConfig = defineConfig({
  title: "Whence",
  description: "Where an error came from: root causes of incidents, with their evidence",
  lang: "en-US",
  base: "/docs/",
  cleanUrls: true,
  // Otherwise the theme would briefly add a style element when the scheme changes, which the policy blocks.
  appearance: { disableTransition: false },
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${icon}` }]],
  // A separate script instead of one inside each page.
  metaChunk: true,
  srcDir: root,
  srcExclude: filesOffSite(),
  rewrites: (file) => siteAddress(file) ?? file,
  outDir: join(import.meta.dirname, "dist"),
  markdown: {
    anchor: { slugify: headingAnchor },
    theme,
    codeTransformers: [colorsAsClasses],
    config: (markdown) => {
      repositoryLinks(markdown);
      emptyHeads(markdown);
    },
  },
  // The site's policy blocks style attributes; `theme/layout.css` contains these rules.
  transformHtml: (html) => html.replace(/(<[a-z][^<>]*?) style="[^"]*"/g, "$1"),
  vite: { logLevel: "warn", plugins: [vueOfSite, sidebarButtons], build: { target: "es2022", chunkSizeWarningLimit } },
  themeConfig: {
    search: { provider: "local" },
    outline: { level: [2, 3] },
    nav: [{ text: "Start", link: "/self-hosting" }, { text: "SDK", link: "/sdk/node" }, apiReference],
    sidebar,
  },
});

export default config;
