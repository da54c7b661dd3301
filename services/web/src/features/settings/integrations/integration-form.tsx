import {
  connectionQuerySchema,
  type Integration,
  type IntegrationKind,
  type IntegrationKindName,
  integrationInputsSchema,
  integrationKinds,
} from "@whence/protocol";
import type { JSX } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { checkFields, RefusedFields } from "../../../lib/field-problems.ts";
import { connect } from "../api/integrations.ts";
import { ConnectionInput } from "../components/connection-input.tsx";
import { useChange } from "../use-change.ts";

export interface IntegrationFormProps {
  readonly kind: IntegrationKindName;
  /** The vendor's name for people. */
  readonly title: string;
  /** The connection whose inputs are replaced; null to connect another. */
  readonly replaced: Integration | null;
  /** The names that other connections of the kind have. */
  readonly taken: readonly string[];
  readonly onDone: () => void;
}

/** The inputs of a connection. A stored secret can't be shown, so it has to be entered again. */
export function IntegrationForm({ kind, title, replaced, taken, onDone }: IntegrationFormProps): JSX.Element {
  const change = useChange();
  const { inputs }: IntegrationKind = integrationKinds[kind];
  return (
    <Form
      action="Connect"
      noValidate
      submit={async ({ name: enteredName = "", ...fields }) => {
        const name = replaced ? replaced.name : checkName(enteredName, taken);
        const entered = checkFields(integrationInputsSchema(kind), withoutEmpty(fields, inputs));
        await change(connect({ kind, name }, entered), `${title} connected`);
        onDone();
      }}
    >
      {(problems) => (
        <>
          {replaced ? null : (
            <Field
              label="Name"
              name="name"
              hint={
                taken.length === 0
                  ? "What you call it, such as production. Leave it empty if you connect only one."
                  : "What you call it, to tell it apart from the one that is connected."
              }
              problem={problems.name}
              autoComplete="off"
            />
          )}
          {inputs.map((input) => (
            <ConnectionInput
              key={input.name}
              input={input}
              shown={replaced?.inputs[input.name]}
              problem={problems[input.name]}
            />
          ))}
        </>
      )}
    </Form>
  );
}

/** Returns the name of another connection, which must differ from the others'. */
function checkName(entered: string, taken: readonly string[]): string {
  const { name } = checkFields(connectionQuerySchema, { name: entered });
  if (!taken.includes(name)) return name;
  const problem = name === "" ? "This field is required." : `A connection is already called ${name}.`;
  throw new RefusedFields({ name: problem });
}

function withoutEmpty(fields: Readonly<Record<string, string>>, inputs: IntegrationKind["inputs"]): object {
  const optional = inputs.filter(({ isOptional }) => isOptional).map(({ name }) => name);
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value.trim() !== "" || !optional.includes(name)),
  );
}
