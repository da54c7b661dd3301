import { type JSX, lazy, Suspense, useState } from "react";
import styles from "./account-menu.module.css";
import { AccountName } from "./account-name.tsx";

const load = async () => ({ default: (await import("./account-menu.tsx")).AccountMenu });
const AccountMenu = lazy(load);

/** The button of the account menu, whose library loads once someone is about to open it. */
export function AccountButton(): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  const button = (
    <button
      type="button"
      className={styles.trigger}
      aria-haspopup="menu"
      aria-expanded={isAsked}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setAsked(true)}
    >
      <AccountName />
    </button>
  );
  return isAsked ? (
    <Suspense fallback={button}>
      <AccountMenu />
    </Suspense>
  ) : (
    button
  );
}
