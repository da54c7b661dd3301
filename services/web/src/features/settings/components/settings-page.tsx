import type { JSX, ReactNode } from "react";
import { PageTitle } from "../../../components/page-title.tsx";
import { useViewer } from "../viewer.ts";
import styles from "./settings-page.module.css";

export interface SettingsPageProps {
  readonly title: string;
  /** What the page is about. */
  readonly lead: ReactNode;
  /** What only owners can do here, as in "Owners …"; shown to members. */
  readonly owners?: string;
  readonly children: ReactNode;
}

/** A page of the settings. */
export function SettingsPage({ title, lead, owners, children }: SettingsPageProps): JSX.Element {
  const { isOwner, organizationName } = useViewer();
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <PageTitle title={title} />
        <p className={styles.lead}>{lead}</p>
        {isOwner || owners === undefined ? null : (
          <p className={styles.owners}>
            Owners of {organizationName} {owners}. As a member, you can only view this page.
          </p>
        )}
      </div>
      {children}
    </div>
  );
}
