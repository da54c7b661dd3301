import { understoodInstructions } from "@whence/protocol";
import type { JSX } from "react";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";

const effects = {
  muted_services: "Failures of this service open no incident",
  muted_fingerprints: "This failure opens no incident",
} as const;

/** The lines of the stored instructions that work without a language model. */
export function UnderstoodLines({ text }: { readonly text: string }): JSX.Element {
  return (
    <Panel
      title="Lines that work without a model"
      note={
        <>
          Two forms, one a line: <code>mute service: NAME</code> and <code>mute failure: FINGERPRINT</code>. Everything
          else is read by a connected model.
        </>
      }
    >
      <Rows none="No line sets anything.">
        {understoodInstructions(text).map(({ line, setting, value }) => (
          <Row key={line} title={value} facts={[`Line ${line}`, effects[setting]]} />
        ))}
      </Rows>
    </Panel>
  );
}
