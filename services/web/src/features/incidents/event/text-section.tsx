import { useQuery } from "@tanstack/react-query";
import type { Incident } from "@whence/protocol";
import type { JSX } from "react";
import { Problem } from "../../../components/problem.tsx";
import { incidentInputQuery } from "../api/get-occurrences.ts";
import { Section } from "../components/section.tsx";
import { StackTrace } from "./stack-trace.tsx";
import { traceOfText } from "./trace.ts";

/** The stack trace of an incident that came as a text, as it was read, and the text itself. */
export default function TextSection({ incident }: { readonly incident: Incident }): JSX.Element | null {
  const { data, error, refetch } = useQuery(incidentInputQuery(incident.id));
  if (error) {
    return (
      <Section title="Text">
        <Problem error={error} retry={() => void refetch()} />
      </Section>
    );
  }
  if (!data) return null;
  if (data.text !== null) {
    const errors = data.read === null ? [] : traceOfText(data.read);
    return (
      <Section title="Text">
        <StackTrace errors={errors} text={data.text} service={incident.service} />
      </Section>
    );
  }
  // Only an analysis always has a text at first.
  return incident.trigger.kind === "analyze" ? (
    <Section title="Text">
      <p>The text has expired.</p>
    </Section>
  ) : null;
}
