import { useQuery } from "@tanstack/react-query";
import { memberCalled, readInstructions, type UnderstoodInstruction } from "@whence/protocol";
import type { JSX } from "react";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { membersQuery } from "../api/members.ts";
import { useViewer } from "../viewer.ts";

type Owner = Parameters<typeof memberCalled>[0][number];

/** The lines of the stored instructions that work without a language model, and those that were meant to. */
export function UnderstoodLines({ text }: { readonly text: string }): JSX.Element {
  const { organizationId } = useViewer();
  const { data } = useQuery(membersQuery(organizationId));
  const members = data?.members.map(({ user }) => user);
  const { understood, misspelled } = readInstructions(text);
  const rows = [
    ...understood.map((one) => ({ line: one.line, title: one.value, effect: effectOf(one, members) })),
    ...misspelled.map((line) => ({
      line,
      title: text.split("\n")[line - 1]?.trim() ?? "",
      effect: "Not understood: write a name after the colon, of 200 characters at most",
    })),
  ];
  return (
    <Panel
      title="Lines that work without a model"
      note={
        <>
          Four forms, one a line: <code>mute service: NAME</code>, <code>mute failure: FINGERPRINT</code>,{" "}
          <code>SERVICE belongs to MEMBER</code>, and <code>ENVIRONMENT is production</code>. Everything else is read by
          a connected model.
        </>
      }
    >
      <Rows none="No line sets anything.">
        {rows
          .toSorted((one, other) => one.line - other.line)
          .map(({ line, title, effect }) => (
            <Row key={line} title={title} facts={[`Line ${line}`, effect]} />
          ))}
      </Rows>
    </Panel>
  );
}

/** What a line does; `members` are unknown while they load. */
function effectOf(one: UnderstoodInstruction, members: readonly Owner[] | undefined): string {
  switch (one.setting) {
    case "muted_services":
      return "Failures of this service open no incident";
    case "muted_fingerprints":
      return "This failure opens no incident";
    case "production_envs":
      return "Failures in this environment open incidents";
    case "owners": {
      const owner = members && memberCalled(members, one.owner);
      return owner === null
        ? `Not understood: no single member has the email address or name ${one.owner}`
        : `${owner?.name ?? one.owner} owns new incidents of this service, unless a rule names someone else`;
    }
  }
}
