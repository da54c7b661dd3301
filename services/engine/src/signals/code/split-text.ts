import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A stream whose parts are decoded one by one. */
export const splitText = codeKind({
  name: "split-text",
  means: "The parts of a stream are decoded one by one, so a character on the boundary of two is lost",
  args: z.object({
    code: z.string(),
    /** The name of a part. */
    chunk: z.string(),
  }),
  example: { code: 'chunk.toString("utf8")', chunk: "chunk" },
  link: {
    what: ({ code, chunk, place }) =>
      `${placeText(place)} decodes each ${inlineCode(chunk)} separately with ${inlineCode(code)}, which breaks a character whose bytes are in two of them`,
    fix: ({ chunk, place }) => ({
      title: `Decode across the boundary of each ${inlineCode(chunk)} at ${placeText(place)}`,
      detail:
        "Keep unfinished characters until the next part: `StringDecoder` or `setEncoding` in Node.js, `TextDecoder` with `stream: true`, an incremental decoder in Python. Or join the bytes before decoding them.",
    }),
    prevent: ({ chunk }) => ({
      title: `Add a test in which a character is split between one ${inlineCode(chunk)} and the next`,
      detail: "Use a text with an accented letter, and parts of one byte.",
    }),
    confirmedBy: () => "the text in the source has no `\uFFFD`, and its bytes are valid",
    ruledOutBy: () => "the source has the same broken character, or arrives as one part",
  },
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
});
