import { type Evidence, outsideRecordSchema, parseJson } from "@whence/protocol";
import { z } from "zod";

/** A page of a connected system about the failure. */
export interface OutsidePage {
  readonly vendor: string;
  readonly url: string;
  readonly summary: string;
}

/** Returns the pages that evidence from connected systems has, each once. */
export function outsidePages(evidence: readonly Evidence[]): OutsidePage[] {
  const pages = evidence.flatMap(({ source: { kind, name, url }, summary }) =>
    kind === "integration" && url !== undefined ? [{ vendor: name, url, summary }] : [],
  );
  return [...new Map(pages.map((page) => [page.url, page])).values()];
}

const onCallSchema = outsideRecordSchema.extend({ what: z.literal("on-call") });

/** Someone on call, with the id of the member who they are. */
export interface OnCallPerson {
  readonly who: string;
  readonly vendor: string;
  readonly memberId: string | null;
}

/** Returns who is on call according to the connected pager. */
export function onCall(evidence: readonly Evidence[]): OnCallPerson[] {
  return evidence.flatMap(({ source, excerpt }) => {
    if (source.kind !== "integration") return [];
    const parsed = onCallSchema.safeParse(parseJson(excerpt));
    if (!parsed.success) return [];
    const { title: who, member_id: memberId = null } = parsed.data;
    return [{ who, vendor: source.name, memberId }];
  });
}
