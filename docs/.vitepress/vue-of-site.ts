import { join } from "node:path";
import type { UserConfig } from "vitepress";

type VitePlugin = Extract<NonNullable<NonNullable<UserConfig["vite"]>["plugins"]>[number], { readonly name: string }>;

const importer = join(import.meta.dirname, "config.ts");

/** Makes pages outside of `docs` use the Vue installed here, since there is none where they are. */
export const vueOfSite: VitePlugin = {
  name: "vue-of-site",
  enforce: "pre",
  async resolveId(source) {
    return /^vue(\/|$)/.test(source) ? await this.resolve(source, importer, { skipSelf: true }) : null;
  },
};
