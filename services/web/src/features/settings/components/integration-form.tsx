import {
  type IntegrationInput,
  type IntegrationKind,
  type IntegrationKindName,
  integrationInputsSchema,
  integrationKinds,
  isSecretInput,
} from "@whence/protocol";
import { type ChangeEvent, type JSX, useState } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Select } from "../../../components/select.tsx";
import { TextArea } from "../../../components/text-area.tsx";
import { checkFields } from "../../../lib/field-problems.ts";
import { connect } from "../api/integrations.ts";
import { useChange } from "../use-change.ts";

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
          <Input key={input.name} input={input} shown={shown[input.name]} problem={problems[input.name]} />
        ))
      }
    </Form>
  );
}

interface InputProps {
  readonly input: IntegrationInput;
  readonly shown: string | undefined;
  readonly problem: string | undefined;
}

const types = { secret: "password", text: "text", email: "email", url: "url" } as const;

function Input({ input, shown, problem }: InputProps): JSX.Element {
  const { name, label, kind, choices = [], hint } = input;
  if (kind === "kubeconfig" || kind === "private-key")
    return <Document name={name} label={label} hint={hint} problem={problem} />;
  if (kind === "choice") {
    const options = choices.map((value) => ({ value, name: value }));
    return <Select label={label} name={name} hint={hint} problem={problem} options={options} defaultValue={shown} />;
  }
  return (
    <Field
      label={label}
      name={name}
      type={types[kind]}
      hint={hint}
      problem={problem}
      // A password manager must neither fill in nor store credentials of the organization.
      autoComplete={isSecretInput(input) ? "new-password" : "off"}
      spellCheck={false}
      defaultValue={shown}
    />
  );
}

interface DocumentProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly problem: string | undefined;
}

/** A text of several lines, entered or read from a file. */
function Document({ name, label, hint, problem }: DocumentProps): JSX.Element {
  const [text, setText] = useState("");
  const take = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = target.files ?? [];
    if (file) setText(await file.text());
  };
  return (
    <>
      <Field label={`${label} as a file`} type="file" onChange={(event) => void take(event)} />
      <TextArea
        label={label}
        name={name}
        rows={8}
        hint={hint}
        problem={problem}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </>
  );
}
