import type { AddedAlertSource as Added, AlertSourceKind } from "@whence/protocol";
import { type JSX, useEffect, useId, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { CopyField } from "../../../components/copy-field.tsx";
import styles from "../components/settings-page.module.css";
import { inputsToSet, madeSecretLabel } from "./alert-source-inputs.ts";
import { AlertSourceSetup } from "./alert-source-setup.tsx";

export interface AddedAlertSourceProps {
  readonly added: Added;
  readonly kind: AlertSourceKind;
  readonly onDone: () => void;
}

/** How to set up the sender of a source that was just added, with its secret, which is shown only once. */
export function AddedAlertSource({ added, kind, onDone }: AddedAlertSourceProps): JSX.Element {
  const { name, secret } = added;
  const label = madeSecretLabel(kind);
  const id = useId();
  const [isEntered, setIsEntered] = useState(false);
  const noticeRef = useRef<HTMLElement>(null);
  // The form that had the focus is gone.
  useEffect(() => noticeRef.current?.focus(), []);
  return (
    <section className={styles.notice} ref={noticeRef} aria-labelledby={id} tabIndex={-1}>
      <p id={id}>
        <strong>{name}</strong> was added. Now set up its sender.
        {secret === null ? null : " Copy the secret now; it won't be shown again."}
      </p>
      {/* A secret that is shown once stays until someone has copied it. */}
      <AlertSourceSetup source={added} kind={kind} onDone={secret === null ? onDone : () => setIsEntered(true)}>
        {secret === null || label === null ? null : <CopyField label={label} value={secret} />}
      </AlertSourceSetup>
      <div>
        <Button onClick={onDone}>{inputsToSet(kind).length > 0 && !isEntered ? "Enter it later" : "Done"}</Button>
      </div>
    </section>
  );
}
