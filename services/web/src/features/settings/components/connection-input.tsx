import { type IntegrationInput, isSecretInput } from "@whence/protocol";
import { type ChangeEvent, type JSX, useState } from "react";
import { Field } from "../../../components/field.tsx";
import { Select } from "../../../components/select.tsx";
import { TextArea } from "../../../components/text-area.tsx";

export interface ConnectionInputProps {
  readonly input: IntegrationInput;
  readonly shown: string | undefined;
  readonly problem: string | undefined;
}

const types = { secret: "password", text: "text", email: "email", url: "url" } as const;

/** One input of a connection. */
export function ConnectionInput({ input, shown, problem }: ConnectionInputProps): JSX.Element {
  const { name, label, kind, choices = [], hint } = input;
  if (kind === "kubeconfig" || kind === "private-key")
    return <LongInput name={name} label={label} hint={hint} problem={problem} />;
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

interface LongInputProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly problem: string | undefined;
}

/** A text of several lines, entered or read from a file. */
function LongInput({ name, label, hint, problem }: LongInputProps): JSX.Element {
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
