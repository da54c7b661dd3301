import { outsideRecordSchema } from "@whence/protocol";
import { inlineCode } from "../../words/prose.ts";
import { outsideKind } from "./outside-kind.ts";

export const record = outsideKind({
  name: "record",
  means: "The same failure, or the people for it, as another system keeps them",
  data: outsideRecordSchema,
  example: { kind: "record", what: "issue", title: "Orders fail", target: "orders", at: "2026-03-01T10:02:00.000Z" },
  evidence: ({ vendor, what, title, target }) => {
    const of = target === null ? "" : ` for ${inlineCode(target)}`;
    return `${vendor}: ${records[what]}${of}: ${inlineCode(title)}`;
  },
});

const records = { "error-group": "issue", issue: "issue", incident: "incident", "on-call": "on call" } as const;
