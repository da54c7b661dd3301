import type { LanguageTable } from "./language.ts";

export const rust: LanguageTable = {
  files: /\.rs$/,
  runtimes: ["rust"],
  homes: {
    runtimeFolders: ["/rustc/", "/rust/library/", "/rustlib/src/", "/rust/deps/"],
    dependencyFolders: ["/.cargo/registry/", "/.cargo/git/", "/cargo/registry/", "/vendor/"],
    runtimePackages: [
      "std::",
      "core::",
      "alloc::",
      "rust_begin_unwind",
      "__rust",
      "<alloc::",
      "<core::",
      "<std::",
      "__libc_start",
      "_start",
      "test::",
    ],
    dependencyPackages: [
      "tokio::",
      "<tokio::",
      "futures_util::",
      "hyper::",
      "<hyper::",
      "tower::",
      "axum::",
      "actix_",
      "<actix_",
      "serde_json::",
      "sqlx",
      "<sqlx",
    ],
  },
};
