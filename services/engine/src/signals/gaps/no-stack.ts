import { gapKind, noArgs } from "./gap-kind.ts";

export const noStack = gapKind({
  name: "no-stack",
  means: "An error without a stack",
  args: noArgs,
  example: {},
  sentence: () => "Stack: the error came without one.",
});
