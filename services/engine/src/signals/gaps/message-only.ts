import { gapKind, noArgs } from "./gap-kind.ts";

export const messageOnly = gapKind({
  name: "message-only",
  means: "An event with a message and without an exception",
  args: noArgs,
  example: {},
  sentence: () => "Stack: the event has a message and no exception.",
});
