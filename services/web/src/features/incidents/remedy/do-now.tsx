import { type Action, doNow, type Incident, type Report } from "@whence/protocol";
import type { JSX } from "react";
import { CopyField } from "../../../components/copy-field.tsx";
import { ExternalLink } from "../../../components/external-link.tsx";
import { Citations, Prose } from "../components/prose.tsx";
import { Section } from "../components/section.tsx";
import styles from "./do-now.module.css";
import { PatchOf } from "./patch.tsx";

interface DoNowProps {
  readonly incident: Incident;
  readonly report: Report;
  /** Whether a code host is connected, where the patch can be opened as a pull request. */
  readonly canOpen: boolean;
}

/** What to do now, the first thing first. */
export function DoNow({ incident, report, canOpen }: DoNowProps): JSX.Element {
  const actions = doNow(report);
  return (
    <Section title="Do now">
      {actions.length === 0 ? <p className={styles.soft}>No suggestions.</p> : null}
      <ol className={styles.actions}>
        {actions.map((action) => (
          <li key={action.title}>
            <ActionText action={action} />
          </li>
        ))}
      </ol>
      {report.patch ? <PatchOf incident={incident} report={report} patch={report.patch} canOpen={canOpen} /> : null}
    </Section>
  );
}

function ActionText({ action }: { readonly action: Action }): JSX.Element {
  const { title, detail, evidence_ids: ids, command, link } = action;
  return (
    <>
      <h3>
        <Prose text={title} />
      </h3>
      <p className={styles.soft}>
        <Prose text={detail} /> <Citations ids={ids} />
      </p>
      {command === undefined ? null : <CopyField label={command.label} value={command.line} />}
      {link ? <ExternalLink href={link.url}>Open in {link.vendor}</ExternalLink> : null}
    </>
  );
}
