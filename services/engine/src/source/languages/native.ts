import type { LanguageTable } from "./language.ts";

/** What a process prints when it dies below the level of its language: a signal, a core dump, a full heap. */
export const native: LanguageTable = {
  files: null,
  runtimes: [],
  homes: { runtimeFolders: [""], dependencyFolders: [] },
};
