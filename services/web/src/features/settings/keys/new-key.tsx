import { type CreatedApiKey, keyScopeSchema, monitoredEnv } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { CopyField } from "../../../components/copy-field.tsx";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Select } from "../../../components/select.tsx";
import type { FieldProblems } from "../../../lib/field-problems.ts";
import { createKey } from "../api/keys.ts";
import styles from "../components/settings-page.module.css";
import { useChange } from "../use-change.ts";
import { keyScopeOptions } from "./key-scope-names.ts";

const nameLengthMax = 100;
const serviceLengthMax = 200;

interface MadeKeyProps {
  readonly made: CreatedApiKey;
  readonly onDone: () => void;
}

/** A new key, this once. */
export function MadeKey({ made: { name, api_key, dsn }, onDone }: MadeKeyProps): JSX.Element {
  return (
    <div className={styles.notice} role="status">
      <p>
        This is the {dsn === null ? "key" : "DSN"} <strong>{name}</strong>. Copy it now; it won't be shown again.
      </p>
      {dsn === null ? <CopyField label="New key" value={api_key} /> : <CopyField label="New DSN" value={dsn} />}
      <div>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}

/** Creates a key. One for Sentry's clients also needs the service that they report for. */
export function NewKeyForm({ onMade }: { readonly onMade: (made: CreatedApiKey) => void }): JSX.Element {
  const change = useChange();
  const [scope, setScope] = useState<string>(keyScopeOptions[0]?.value ?? "");
  const submit = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    const { name = "" } = fields;
    const chosen = keyScopeSchema.parse(fields.scope);
    const project = chosen === "sentry" ? { project: projectOf(fields) } : {};
    onMade(await change(createKey({ name: name.trim(), scope: chosen, ...project }), "Key created"));
  };
  return (
    <Form action="Create key" inline submit={submit}>
      {(problems) => (
        <>
          <Field
            label="Name of the new key"
            name="name"
            required
            pattern=".*\S.*"
            maxLength={nameLengthMax}
            autoComplete="off"
            placeholder="checkout in production"
            problem={problems.name}
          />
          <Select
            label="Scope"
            name="scope"
            options={keyScopeOptions}
            value={scope}
            onChange={({ target }) => setScope(target.value)}
            problem={problems.scope}
          />
          {scope === "sentry" ? <ProjectFields problems={problems} /> : null}
        </>
      )}
    </Form>
  );
}

function ProjectFields({ problems }: { readonly problems: FieldProblems }): JSX.Element {
  return (
    <>
      <Field
        label="Service"
        name="service"
        required
        pattern=".*\S.*"
        maxLength={serviceLengthMax}
        autoComplete="off"
        placeholder="checkout"
      />
      <Field
        label="Environment"
        name="env"
        required
        pattern=".*\S.*"
        maxLength={serviceLengthMax}
        defaultValue={monitoredEnv}
        autoComplete="off"
        hint="For events that name none, or production"
      />
      <Field
        label="Pages that may send"
        name="origins"
        autoComplete="off"
        placeholder="https://shop.example"
        hint="Origins, separated by spaces; empty for programs"
        problem={problems.project}
      />
    </>
  );
}

function projectOf({ service = "", env = "", origins = "" }: Readonly<Record<string, string>>) {
  return { service: service.trim(), env: env.trim(), origins: origins.split(/[\s,]+/).filter((one) => one !== "") };
}
