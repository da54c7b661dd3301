import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { CopyField } from "../../../components/copy-field.tsx";
import styles from "./two-factor.module.css";

/** Backup codes, shown this once. */
export function BackupCodes({
  codes,
  onKept,
}: {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}): JSX.Element {
  return (
    <>
      <p role="status">
        Keep these backup codes in a safe place. Each one signs you in once, without the app. They aren't shown again.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <CopyField label="All backup codes" value={codes.join(" ")} />
      <div>
        <Button look="main" onClick={onKept}>
          I have kept them
        </Button>
      </div>
    </>
  );
}
