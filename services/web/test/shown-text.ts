import type { Evidence } from "@whence/protocol";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { EvidenceContext } from "../src/features/incidents/components/prose.tsx";

/** The text that an element shows, its parts a space apart. */
export function shownText(element: ReactNode): string {
  const markup = renderToStaticMarkup(element);
  return markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}

/** The element within a report that has this evidence. */
export function withEvidence(evidence: readonly Evidence[], element: ReactNode): ReactNode {
  const byId = new Map(evidence.map((one) => [one.id, one]));
  return createElement(EvidenceContext, { value: byId }, element);
}
