import { gapKind, noArgs } from "./gap-kind.ts";

export const noFiles = gapKind({
  name: "no-files",
  means: "No files were attached",
  args: noArgs,
  example: {},
  sentence: () => "Source: no files were attached.",
});
