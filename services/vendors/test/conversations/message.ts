import type { MessageDocument } from "../../src/conversations/message-document.ts";

export function messageOf(headline: string): MessageDocument {
  return { purpose: "answer", headline, parts: [], link: null };
}
