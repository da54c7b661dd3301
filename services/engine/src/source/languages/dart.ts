import type { LanguageTable } from "./language.ts";

export const dart: LanguageTable = {
  files: /\.dart$/,
  runtimes: ["dart", "flutter"],
  homes: { runtimeFolders: ["dart:"], dependencyFolders: ["package:flutter/", "/.pub-cache/", "/pub.dev/"] },
};
