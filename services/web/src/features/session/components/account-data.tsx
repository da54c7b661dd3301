import type { JSX } from "react";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Panel } from "../../../components/panel.tsx";
import { paths } from "../../../config/paths.ts";
import { accountExportPath, deleteAccount } from "../api/account.ts";
import styles from "./account-data.module.css";

/** The export of the person's data, and the deletion of their account. */
export function AccountData({ email }: { readonly email: string }): JSX.Element {
  const remove = async (): Promise<void> => {
    await deleteAccount();
    window.location.assign(paths.login);
  };
  return (
    <Panel title="Your data" note="Your account, memberships, verdicts, and what you changed, as JSON lines.">
      <div className={styles.actions}>
        <a href={accountExportPath} download>
          Export your data
        </a>
        <ConfirmButton label="Delete account" of={email} title="Delete your account?" action={remove}>
          <p>
            You will be signed out everywhere and leave all your organizations. Incidents and settings stay with them,
            without your name. This can't be undone.
          </p>
        </ConfirmButton>
      </div>
    </Panel>
  );
}
