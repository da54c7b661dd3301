import {
  type AddAlertSource,
  addAlertSourceSchema,
  alertSourceKindNames,
  alertSourceKindSchema,
  alertSourceKinds,
} from "@whence/protocol";
import { type JSX, useState } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Select } from "../../../components/select.tsx";
import { checkFields } from "../../../lib/field-problems.ts";
import { checkInputs, inputsToAdd } from "../alert-source-inputs.ts";

const kindOptions = alertSourceKindNames.map((value) => ({ value, name: alertSourceKinds[value].label }));
const [firstKind = "webhook"] = alertSourceKindNames;

export interface AlertSourceFormProps {
  readonly submit: (source: AddAlertSource) => Promise<void>;
}

/** The sender, a name, and the inputs that its kind needs before there is a URL. */
export function AlertSourceForm({ submit }: AlertSourceFormProps): JSX.Element {
  const [kind, setKind] = useState(firstKind);
  const { label } = alertSourceKinds[kind];
  const inputs = inputsToAdd(kind);
  return (
    <Form
      action="Add source"
      noValidate
      submit={({ name = "", ...fields }) =>
        submit(
          checkFields(addAlertSourceSchema, {
            kind,
            name: name.trim() === "" ? label : name,
            inputs: checkInputs(inputs, fields),
          }),
        )
      }
    >
      {(problems) => (
        <>
          <Select
            label="Sender"
            name="kind"
            options={kindOptions}
            value={kind}
            onChange={({ target }) => setKind(alertSourceKindSchema.parse(target.value))}
            problem={problems.kind}
          />
          <Field
            label="Name"
            name="name"
            placeholder={label}
            autoComplete="off"
            hint="Optional. Tells this source from others of the same sender."
            problem={problems.name}
          />
          {inputs.map((input) => (
            <Field
              key={input.name}
              label={input.label}
              name={input.name}
              placeholder={input.example}
              {...(input.isOptional && { hint: "Optional." })}
              autoComplete="off"
              spellCheck={false}
              problem={problems[input.name]}
            />
          ))}
        </>
      )}
    </Form>
  );
}
