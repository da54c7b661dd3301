import { z } from "zod";
import { SourceText, type Span } from "../../source/source-text.ts";

/** Where something is printed: a text, and a span in it. */
export const quoted = z.object({ source: z.instanceof(SourceText), printed: z.custom<Span>() });
