import { type AlertSource, type AlertSourceKind, installationInput } from "@whence/protocol";
import type { JSX } from "react";
import { CopyField } from "../../../components/copy-field.tsx";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { setAlertSourceInputs } from "../api/alert-sources.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { checkInputs, inputsToSet } from "./alert-source-inputs.ts";
import { AlertSourceSteps } from "./alert-source-steps.tsx";

export interface AlertSourceSetupProps {
  readonly source: AlertSource;
  readonly kind: AlertSourceKind;
  /** Shown between the address and the steps. */
  readonly children?: JSX.Element | null;
  /** Called once the sender's secret was entered. */
  readonly onDone: () => void;
}

/** What to enter at the sender, what to do there, and the field for a secret that only the sender has. */
export function AlertSourceSetup({ source, kind, children, onDone }: AlertSourceSetupProps): JSX.Element {
  const { url, inputs } = source;
  if (installationInput in inputs) return <p>The application that was installed at the sender needs no setup.</p>;
  return (
    <>
      <CopyField label="Webhook address" value={url} />
      {children}
      <AlertSourceSteps source={source} kind={kind} />
      <Secret source={source} kind={kind} onDone={onDone} />
    </>
  );
}

function Secret({ source: { id, name }, kind, onDone }: AlertSourceSetupProps): JSX.Element | null {
  const { isOwner } = useViewer();
  const change = useChange();
  const inputs = inputsToSet(kind);
  if (!isOwner || inputs.length === 0) return null;
  return (
    <Form
      action={inputs.length > 1 ? "Save secrets" : "Save secret"}
      noValidate
      inline
      submit={async (fields) => {
        await change(setAlertSourceInputs(id, checkInputs(inputs, fields)), `Secret of ${name} saved`);
        onDone();
      }}
    >
      {(problems) =>
        inputs.map((input) => (
          <Field
            key={input.name}
            label={input.label}
            name={input.name}
            {...(input.is_optional && { hint: "Optional." })}
            type={input.is_secret ? "password" : "text"}
            // A password manager must neither fill in nor store credentials of the organization.
            autoComplete="new-password"
            spellCheck={false}
            problem={problems[input.name]}
          />
        ))
      }
    </Form>
  );
}
