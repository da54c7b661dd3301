import { useQuery } from "@tanstack/react-query";
import { type Integration, limits, repositoryPathSchema } from "@whence/protocol";
import { type JSX, useId, useState } from "react";
import { z } from "zod";
import { Button } from "../../../components/button.tsx";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { checkFields } from "../../../lib/field-problems.ts";
import { assignRepositories, serviceNamesQuery } from "../api/repositories.ts";
import styles from "../components/settings-page.module.css";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { assignedRepositories, type ServiceRepository, serviceRepositories } from "./assigned-repositories.ts";

const assignmentSchema = z.object({
  service: z.string().trim().min(1).max(limits.serviceLengthMax),
  repository: repositoryPathSchema,
});

export interface RepositoriesProps {
  readonly connection: Integration;
}

/** The services with their repositories at a connected code host. */
export function Repositories({ connection }: RepositoriesProps): JSX.Element {
  const { isOwner } = useViewer();
  const names = useQuery(serviceNamesQuery);
  const assigned = assignedRepositories(connection);
  const headingId = useId();
  return (
    <section className={styles.stack} aria-labelledby={headingId}>
      <h3 id={headingId}>Repositories</h3>
      <Loaded query={names} lines={2}>
        {(seen) => (
          <Rows none="No service has reported in the last day. You can assign a repository before one does.">
            {serviceRepositories(assigned, seen).map((one) => (
              <ServiceRow key={one.service} connection={connection} {...one} />
            ))}
          </Rows>
        )}
      </Loaded>
      {isOwner ? <Assign connection={connection} /> : null}
    </section>
  );
}

function ServiceRow({ connection, service, repository }: RepositoriesProps & ServiceRepository): JSX.Element {
  const { isOwner } = useViewer();
  return (
    <Row
      title={service}
      facts={
        repository === null
          ? [<Guess key="guess" {...{ connection, service }} />]
          : [<code key="path">{repository}</code>, "assigned"]
      }
      actions={isOwner && repository !== null ? <Unassign {...{ connection, service }} /> : null}
    />
  );
}

/** The repository that is used when none is assigned. */
function Guess({
  connection: { kind, inputs },
  service,
}: RepositoriesProps & { readonly service: string }): JSX.Element {
  const { account } = inputs;
  if (kind === "github" && account !== undefined) {
    return (
      <>
        by its name: <code>{`${account}/${service}`}</code>, if it exists
      </>
    );
  }
  return (
    <>
      by its name: the only project called <code>{service}</code>, if there is one
    </>
  );
}

function Unassign({ connection, service }: RepositoriesProps & { readonly service: string }): JSX.Element {
  const change = useChange();
  const [isBusy, setIsBusy] = useState(false);
  const unassign = async (): Promise<void> => {
    setIsBusy(true);
    const others = Object.entries(assignedRepositories(connection)).filter(([name]) => name !== service);
    const removed = assignRepositories(connection.kind, Object.fromEntries(others));
    await change(removed, `${service} is matched by its name`).finally(() => setIsBusy(false));
  };
  return (
    <Button busy={isBusy} aria-label={`Unassign ${service}`} onClick={() => void unassign()}>
      Unassign
    </Button>
  );
}

function Assign({ connection }: RepositoriesProps): JSX.Element {
  const change = useChange();
  const [count, setCount] = useState(0);
  const known = useQuery(serviceNamesQuery).data ?? [];
  const listId = useId();
  return (
    <Form
      key={count}
      action="Assign repository"
      noValidate
      inline
      submit={async (fields) => {
        const { service, repository } = checkFields(assignmentSchema, fields);
        const all = { ...assignedRepositories(connection), [service]: repository };
        await change(assignRepositories(connection.kind, all), `${repository} assigned to ${service}`);
        setCount(count + 1);
      }}
    >
      {(problems) => (
        <>
          <Field label="Service" name="service" list={listId} autoComplete="off" problem={problems.service} />
          <datalist id={listId}>
            {known.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <Field
            label="Repository"
            name="repository"
            placeholder="acme/shop"
            autoComplete="off"
            spellCheck={false}
            problem={problems.repository}
          />
        </>
      )}
    </Form>
  );
}
