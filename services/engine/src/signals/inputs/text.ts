import { z } from "zod";
import type { LinkWords } from "../../words/link-words.ts";
import { inlineCode } from "../../words/prose.ts";
import { linked } from "../kind.ts";
import { inputKind } from "./input-kind.ts";

/** The words for a text without a known form of an error in it, as a link. */
const textLink: LinkWords<{ readonly headline: string; readonly says: "failure" | "warning" | "nothing" }> = {
  what: ({ headline, says }) => {
    if (headline === "") return "the text describes no failure";
    const line = inlineCode(headline);
    if (says === "failure") return `the text says ${line}`;
    return `no error was recognized in the text, ${says === "warning" ? "only a warning:" : "which starts with"} ${line}`;
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
