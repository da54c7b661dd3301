import { useQuery } from "@tanstack/react-query";
import { ownershipChangeSchema } from "@whence/protocol";
import { type JSX, useId, useState } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Select } from "../../../components/select.tsx";
import { checkFields } from "../../../lib/field-problems.ts";
import { membersQuery } from "../api/members.ts";
import { serviceNamesQuery } from "../api/repositories.ts";
import { useViewer } from "../viewer.ts";
import type { EnteredOwnershipRule } from "./ordered-rules.ts";

const ruleSchema = ownershipChangeSchema.shape.rules.element;

const matches = [
  { value: "path", name: "File of the cause" },
  { value: "service", name: "Service" },
];

export interface OwnershipRuleFormProps {
  readonly submit: (rule: EnteredOwnershipRule) => Promise<void>;
}

/** The fields of an ownership rule. */
export function OwnershipRuleForm({ submit }: OwnershipRuleFormProps): JSX.Element {
  const { organizationId } = useViewer();
  const members = useQuery(membersQuery(organizationId));
  const [match, setMatch] = useState("path");
  return (
    <Loaded query={members} lines={3}>
      {(data) => (
        <Form action="Add this rule" noValidate submit={(fields) => submit(checkFields(ruleSchema, fields))}>
          {(problems) => (
            <>
              <Select
                label="Matches by"
                name="match"
                options={matches}
                value={match}
                onChange={({ target }) => setMatch(target.value)}
              />
              {match === "service" ? (
                <ServiceField problem={problems.pattern} />
              ) : (
                <PathField problem={problems.pattern} />
              )}
              <Select
                label="Owner"
                name="owner"
                options={data.members.map(({ userId, user }) => ({
                  value: userId,
                  name: `${user.name} (${user.email})`,
                }))}
                problem={problems.owner}
              />
            </>
          )}
        </Form>
      )}
    </Loaded>
  );
}

interface PatternFieldProps {
  readonly problem: string | undefined;
}

function ServiceField({ problem }: PatternFieldProps): JSX.Element {
  const known = useQuery(serviceNamesQuery).data ?? [];
  const listId = useId();
  return (
    <>
      <Field
        label="Service"
        name="pattern"
        list={listId}
        autoComplete="off"
        spellCheck={false}
        hint="As telemetry names it."
        problem={problem}
      />
      <datalist id={listId}>
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

function PathField({ problem }: PatternFieldProps): JSX.Element {
  return (
    <Field
      label="Path"
      name="pattern"
      placeholder="services/cart/**"
      autoComplete="off"
      spellCheck={false}
      hint="From any folder on. ** stands for any folders, * for any characters within a name."
      problem={problem}
    />
  );
}
