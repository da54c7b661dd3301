import { type JSX, Suspense, useState } from "react";
import { lazyPart } from "../components/lazy-part.tsx";
import styles from "./account-menu.module.css";
import { AccountName } from "./account-name.tsx";

const load = async () => ({ default: (await import("./account-menu.tsx")).AccountMenu });
const AccountMenu = lazyPart(load);
// Opening the menu says so when it can't be loaded.
const loadAhead = (): void => void load().catch(() => undefined);

/** The button of the account menu, whose library loads once someone is about to open it. */
export function AccountButton(): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  const button = (
    <button
      type="button"
      className={styles.trigger}
      aria-haspopup="menu"
      aria-expanded={isAsked}
      onPointerEnter={loadAhead}
      onFocus={loadAhead}
      onClick={() => setAsked(true)}
    >
      <AccountName />
    </button>
  );
  return isAsked ? (
    <Suspense fallback={button}>
      <AccountMenu instead={button} />
    </Suspense>
  ) : (
    button
  );
}
