import { z } from "zod";
import type { LinkWords } from "../../words/link-words.ts";
import { inlineCode } from "../../words/prose.ts";
import { linked } from "../kind.ts";
import { inputKind } from "./input-kind.ts";

/** The words for a text without an error in it, as a link. */
const textLink: LinkWords<{ readonly headline: string; readonly isFailing: boolean }> = {
  what: ({ headline, isFailing }) => {
    if (headline === "") return "the text describes no failure";
    return isFailing
      ? `the text says ${inlineCode(headline)}`
      : `the text has no error; its most telling line is ${inlineCode(headline)}`;
  },
};

const input = inputKind({
  name: "text",
  means: "A text without an error in it",
  data: z.object({ headline: z.string() }),
  example: { headline: "connection refused" },
  evidence: ({ headline }) => (headline === "" ? "the text as given" : inlineCode(headline)),
});

export const textInput = linked(input, textLink);
