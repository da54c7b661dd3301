import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** Code that writes what a request sends into the file that the failing value is read from. */
export const writtenFile = codeKind({
  name: "written-file",
  means: "The failing value is read from a file, and this is the code that writes what a request sends into it",
  args: z.object({
    file: z.string(),
    /** The code that takes it from the request. */
    code: z.string(),
  }),
  example: { file: "data/settings.json", code: "req.body[key]" },
  link: {
    what: ({ file, code, place }) =>
      `${placeText(place)} writes ${inlineCode(code)} into ${inlineCode(file)}, which the failing value is read from`,
    fix: ({ file, code, place }) => ({
      title: `Check ${inlineCode(code)} at ${placeText(place)} before it is written`,
      detail: `Keep what the file has where the request sends nothing, then correct ${inlineCode(file)}.`,
    }),
    prevent: ({ file }) => ({
      title: `Validate ${inlineCode(file)} when it is written and when it is read`,
      detail: "The request that would break it should be refused.",
    }),
    confirmedBy: ({ file }) => `${inlineCode(file)} lacks the value, or has another than the request should send`,
    ruledOutBy: ({ file }) => `${inlineCode(file)} has the value as expected`,
  },
  isUntrained: true,
  decides: { weight: 0.55 },
  isOrigin: () => true,
  category: () => "data-validation",
});
