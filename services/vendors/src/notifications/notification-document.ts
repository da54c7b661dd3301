import type { Notification } from "@whence/protocol";
import type { MessageDocument } from "../conversations/message-document.ts";
import { briefOf } from "./brief.ts";

const textLengthMax = 1_000;

/** Returns the message as a bot posts it. */
export function notificationDocument(message: Notification): MessageDocument {
  const { headline, paragraphs, listed, facts, link } = briefOf(message, textLengthMax);
  return {
    purpose: "answer",
    headline,
    parts: [
      ...paragraphs.map((paragraph) => ({ kind: "paragraph", ...paragraph }) as const),
      ...listed.map(({ text, url }) => ({ kind: "quote", text: "", source: text, url }) as const),
      { kind: "facts", facts },
    ],
    link,
  };
}
