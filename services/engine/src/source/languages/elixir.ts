import type { LanguageTable } from "./language.ts";

export const elixir: LanguageTable = {
  files: /\.exs?$/,
  runtimes: ["elixir", "beam", "erlang"],
  homes: { runtimeFolders: [], dependencyFolders: ["/deps/"] },
};
