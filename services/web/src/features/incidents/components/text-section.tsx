import { useQuery } from "@tanstack/react-query";
import type { Incident } from "@whence/protocol";
import type { JSX } from "react";
import { incidentInputQuery } from "../api/get-occurrences.ts";
import { traceOfText } from "../trace.ts";
import { Section } from "./section.tsx";
import { StackTrace } from "./stack-trace.tsx";

/** The stack trace of an incident that came as a text, as it was read, and the text itself. */
export default function TextSection({ incident }: { readonly incident: Incident }): JSX.Element | null {
  const { data } = useQuery(incidentInputQuery(incident.id));
  if (!data || data.text === null) return null;
  const errors = data.read === null ? [] : traceOfText(data.read);
  return (
    <Section title="Text">
      <StackTrace errors={errors} text={data.text} service={incident.service} />
    </Section>
  );
}
