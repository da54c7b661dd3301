import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A credential that is obtained once and kept, though it expires. */
export const keptCredential = codeKind({
  name: "kept-credential",
  means: "A token or another credential is obtained once and kept, and nothing renews it when it expires",
  args: z.object({
    /** What keeps it. */
    name: z.string(),
    /** The call that obtains it. */
    obtained: z.string(),
    how: z.enum(["first-use", "at-load", "constructor"]),
  }),
  example: { name: "current", obtained: "issueToken", how: "first-use" },
  link: {
    what: ({ name, obtained, how, place }) =>
      `${placeText(place)} keeps what ${inlineCode(obtained)} returned in ${inlineCode(name)}${when[how]}, and nothing renews it`,
    fix: ({ name, obtained, place }) => ({
      title: `Renew ${inlineCode(name)} at ${placeText(place)}`,
      detail: `Restart the service to obtain a new one now. Then call ${inlineCode(obtained)} again shortly before it expires, and once after it was refused.`,
    }),
    prevent: ({ name }) => ({
      title: `Keep the end of ${inlineCode(name)} with it`,
      detail: "Store when it expires beside it, and test with a credential that expires at once.",
    }),
    confirmedBy: () => "a process works after its start, and fails from a fixed time on",
    ruledOutBy: () => "a process that has just started fails, too",
  },
  isUntrained: true,
  isClearedByRestart: true,
  decides: { weight: 0.75 },
  isOrigin: () => true,
  category: () => "auth",
});

const when = {
  "first-use": " on first use",
  "at-load": " when the module is loaded",
  constructor: " when the object is made",
} as const;
