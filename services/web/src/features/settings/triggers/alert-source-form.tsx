import { type AddAlertSource, type AlertSourceKind, addAlertSourceSchema } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Select } from "../../../components/select.tsx";
import { checkFields } from "../../../lib/field-problems.ts";
import { checkInputs, inputsToAdd, kindNamed } from "./alert-source-inputs.ts";

export interface AlertSourceFormProps {
  /** At least one. */
  readonly kinds: readonly AlertSourceKind[];
  readonly submit: (source: AddAlertSource) => Promise<void>;
}

/** The sender, a name, and the inputs that its kind needs before there is a URL. */
export function AlertSourceForm({ kinds, submit }: AlertSourceFormProps): JSX.Element {
  const [chosen, setChosen] = useState(kinds[0]?.kind ?? "");
  const kind = kindNamed(kinds, chosen);
  const { label } = kind;
  const inputs = inputsToAdd(kind);
  return (
    <Form
      action="Add source"
      noValidate
      submit={({ name = "", ...fields }) =>
        submit(
          checkFields(addAlertSourceSchema, {
            kind: chosen,
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
            options={kinds.map((one) => ({ value: one.kind, name: one.label }))}
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
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
              {...(input.is_optional && { hint: "Optional." })}
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
