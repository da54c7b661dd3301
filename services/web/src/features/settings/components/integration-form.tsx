import {
  type IntegrationKind,
  type IntegrationKindName,
  integrationInputsSchema,
  integrationKinds,
} from "@whence/protocol";
import type { JSX } from "react";
import { Form } from "../../../components/form.tsx";
import { checkFields } from "../../../lib/field-problems.ts";
import { connect } from "../api/integrations.ts";
import { useChange } from "../use-change.ts";
import { ConnectionInput } from "./connection-input.tsx";

export interface IntegrationFormProps {
  readonly kind: IntegrationKindName;
  /** The vendor's name for people. */
  readonly name: string;
  /** The visible inputs of an earlier connection. */
  readonly shown: Readonly<Record<string, string>>;
  readonly onDone: () => void;
}

/** The inputs of an integration. A stored secret can't be shown, so it has to be entered again. */
export function IntegrationForm({ kind, name, shown, onDone }: IntegrationFormProps): JSX.Element {
  const change = useChange();
  const { inputs }: IntegrationKind = integrationKinds[kind];
  return (
    <Form
      action="Connect"
      noValidate
      submit={async (fields) => {
        const entered = checkFields(integrationInputsSchema(kind), fields);
        await change(connect(kind, entered), `${name} connected`);
        onDone();
      }}
    >
      {(problems) =>
        inputs.map((input) => (
          <ConnectionInput key={input.name} input={input} shown={shown[input.name]} problem={problems[input.name]} />
        ))
      }
    </Form>
  );
}
