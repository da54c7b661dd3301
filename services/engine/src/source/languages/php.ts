import type { LanguageTable } from "./language.ts";

export const php: LanguageTable = {
  files: /\.php$/,
  runtimes: ["php", "hhvm"],
  homes: {
    runtimeFolders: ["[internal"],
    dependencyFolders: ["/vendor/", "phar://", "/wp-includes/", "/wp-content/plugins/"],
  },
};
