import { gapKind, noArgs } from "./gap-kind.ts";

export const noOwnFrame = gapKind({
  name: "no-own-frame",
  means: "A stack without a frame in own code",
  args: noArgs,
  example: {},
  sentence: () => "Own code: the stack has no frame in it.",
});
