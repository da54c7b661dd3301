import type { Incident } from "@whence/protocol";
import type { JSX } from "react";
import { CodeBlock } from "../../../components/code-block.tsx";
import { Section } from "../components/section.tsx";

interface UnreadableReportProps {
  readonly unreadable: NonNullable<Incident["unreadable_report"]>;
}

/** A stored report that doesn't match its schema, shown as it is. */
export function UnreadableReport({ unreadable: { problem, stored } }: UnreadableReportProps): JSX.Element {
  return (
    <Section title="This report can't be read">
      <p>
        Run the investigation again for a new one, or delete the incident. What doesn't fit: <code>{problem}</code>
      </p>
      <CodeBlock
        code={typeof stored === "string" ? stored : JSON.stringify(stored, null, 2)}
        language="json"
        label="Stored report"
      />
    </Section>
  );
}
