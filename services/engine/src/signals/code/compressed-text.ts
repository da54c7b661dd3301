import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** Compressed bytes that are read as a text before they are inflated. */
export const compressedText = codeKind({
  name: "compressed-text",
  means: "Compressed bytes are read as a text, by code that runs before what inflates them",
  args: z.object({ reads: z.string(), inflates: z.string() }),
  example: { reads: "parseBody", inflates: "gunzipBody" },
  link: {
    what: ({ reads, inflates, place }) =>
      `${placeText(place)} has ${inlineCode(reads)} read gzip bytes before ${inlineCode(inflates)} inflates them`,
    fix: ({ reads, inflates, place }) => ({
      title: `Put ${inlineCode(inflates)} before ${inlineCode(reads)} at ${placeText(place)}`,
      detail: "What was sent compressed has to be inflated before anything reads it as text.",
    }),
    prevent: ({ reads }) => ({
      title: "Add a test with a compressed body",
      detail: `Send it with \`Content-Encoding: gzip\` through everything that runs before ${inlineCode(reads)}.`,
    }),
    confirmedBy: () => "only requests with `Content-Encoding: gzip` fail",
    ruledOutBy: () => "requests that aren't compressed fail, too",
  },
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
});
