import { useSuspenseQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { Icon } from "../components/icon.tsx";
import hidden from "../components/visually-hidden.module.css";
import { sessionQuery } from "../features/session/api/get-session.ts";
import styles from "./account-menu.module.css";

/** The person and organization that the button of the account menu shows. */
export function AccountName(): JSX.Element {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <>
      <Icon name="user" />
      <span className={hidden.hidden}>Account: </span>
      <span className={styles.names}>
        <span>{session.organization?.name ?? "No organization"}</span>
        <span className={styles.soft}>{session.user.name}</span>
      </span>
      <Icon name="chevron" size={12} />
    </>
  );
}
