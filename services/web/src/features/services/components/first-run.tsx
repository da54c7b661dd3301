import { useMutation } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Field } from "../../../components/field.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { createFirstKey } from "../api/create-first-key.ts";
import type { Program, SnippetValues } from "../program.ts";
import { programs, startCommand } from "../programs.ts";
import { CopiedCode } from "./copied-code.tsx";
import styles from "./first-run.module.css";

const keyPlaceholder = "<your key>";

/** The steps to connect a service. Only owners can create a key. */
export function FirstRun({ isOwner }: { readonly isOwner: boolean }): JSX.Element {
  const [service, setService] = useState("my-service");
  const making = useMutation({ mutationFn: createFirstKey });
  const values = { key: making.data ?? keyPlaceholder, service, endpoint: window.location.origin };
  return (
    <ol className={styles.steps}>
      <li>
        <h2>Create a key</h2>
        {making.data === undefined ? (
          <NoKey isOwner={isOwner} isMaking={making.isPending} make={() => making.mutate()} />
        ) : (
          <p role="status">
            The key is in the command below and won't be shown again. Keep it with your secrets. It can send telemetry,
            but not read anything.
          </p>
        )}
        {making.error ? <Problem error={making.error} /> : null}
        <div className={styles.field}>
          <Field
            label="Service name"
            value={service}
            maxLength={200}
            onChange={({ target }) => setService(target.value)}
            spellCheck={false}
          />
        </div>
      </li>
      <li>
        <h2>Install the client and start your program</h2>
        <Programs values={values} />
      </li>
    </ol>
  );
}

interface NoKeyProps {
  readonly isOwner: boolean;
  readonly isMaking: boolean;
  readonly make: () => void;
}

function NoKey({ isOwner, isMaking, make }: NoKeyProps): JSX.Element {
  if (!isOwner) {
    return (
      <p>
        Ask an owner for a send key, and replace <code>{keyPlaceholder}</code> below with it.
      </p>
    );
  }
  return (
    <div className={styles.make}>
      <Button look="main" busy={isMaking} onClick={make}>
        Create send key
      </Button>
      <span className={styles.soft}>
        or replace <code>{keyPlaceholder}</code> below with a key you have
      </span>
    </div>
  );
}

function Programs({ values }: { readonly values: SnippetValues }): JSX.Element {
  const [first = ""] = programs.keys();
  const [kind, setKind] = useState(first);
  const program = programs.get(kind);
  const tabs = [...programs].map(([one, { name }]) => [one, name] as const);
  return (
    <Tabs label="Kind of program" tabs={tabs} open={kind} onOpen={setKind}>
      {program && <Instructions program={program} values={values} />}
    </Tabs>
  );
}

function Instructions({ program, values }: { readonly program: Program; readonly values: SnippetValues }): JSX.Element {
  const { name, ending, code } = program;
  return (
    <>
      <CopiedCode code={program.install(values)} language="sh" label="Install" />
      {code === null ? (
        <p className={styles.soft}>Your code stays as it is: the client loads before it.</p>
      ) : (
        <CopiedCode code={code(values)} language={ending} label={`Program with ${name}`} />
      )}
      <CopiedCode code={startCommand(program, values)} language="sh" label="Start" />
    </>
  );
}
