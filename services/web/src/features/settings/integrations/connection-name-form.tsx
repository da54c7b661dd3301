import { connectionQuerySchema, connectionTitle, type Integration } from "@whence/protocol";
import type { JSX } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { checkFields } from "../../../lib/field-problems.ts";
import { rename } from "../api/integrations.ts";
import { useChange } from "../use-change.ts";

interface ConnectionNameFormProps {
  readonly connection: Integration;
  readonly onDone: () => void;
}

/** The name of a connection, which evidence says. */
export function ConnectionNameForm({ connection, onDone }: ConnectionNameFormProps): JSX.Element {
  const change = useChange();
  return (
    <Form
      action="Rename"
      noValidate
      submit={async (fields) => {
        const { name } = checkFields(connectionQuerySchema, fields);
        await change(rename(connection, name), `${connectionTitle(connection)} renamed`);
        onDone();
      }}
    >
      {(problems) => (
        <Field
          label="Name"
          name="name"
          defaultValue={connection.name}
          hint="What you call it. Evidence from now on names it so."
          problem={problems.name}
          autoComplete="off"
        />
      )}
    </Form>
  );
}
