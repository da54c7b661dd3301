import { readFileSync } from "node:fs";
import { z } from "zod";
import type { VendorAnswerOf } from "../http/vendor-server.ts";

/** https://w3c.github.io/web-performance/specs/HAR/Overview.html */
const harSchema = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        request: z.object({ url: z.string() }),
        response: z.object({ status: z.number(), content: z.object({ text: z.string() }) }),
      }),
    ),
  }),
});

/** Answers that a real system gave, one after the other, below `recorded/`; the last one again and again. */
export function recordedAnswers(file: string): () => VendorAnswerOf {
  const text = readFileSync(new URL(`recorded/${file}`, import.meta.url), "utf8");
  const answers = harSchema.parse(JSON.parse(text)).log.entries.map(({ response }) => response);
  let next = 0;
  return () => {
    const answer = answers[Math.min(next, answers.length - 1)];
    next += 1;
    return answer ? { status: answer.status, body: answer.content.text } : { status: 404 };
  };
}
