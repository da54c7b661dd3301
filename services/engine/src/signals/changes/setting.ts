import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { changeKind } from "./change-kind.ts";

export const setting = changeKind({
  name: "setting",
  means: "An environment variable that the error names is read, or no longer",
  args: z.object({ name: z.string(), change: z.enum(["added", "removed"]) }),
  example: { name: "PAYMENTS_URL", change: "added" },
  text: ({ name, change }, place) =>
    change === "added"
      ? `started reading ${inlineCode(name)} in ${placeText(place)}`
      : `stopped reading ${inlineCode(name)} in ${inlineCode(place.file)}`,
  order: () => 1,
});
