import type { LanguageTable } from "./language.ts";

/** What a process prints that dies below its language: a signal, a core dump, a full heap. */
export const native: LanguageTable = {
  files: null,
  runtimes: [],
  homes: { runtimeFolders: [""], dependencyFolders: [] },
};
