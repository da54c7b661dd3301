import { type JSX, useId } from "react";
import { Button } from "./button.tsx";
import styles from "./copy-field.module.css";
import { toasts } from "./toasts.tsx";

/** A value to copy: a click selects it, in case the browser doesn't let a page write to the clipboard. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }): JSX.Element {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input id={id} readOnly value={value} onFocus={({ target }) => target.select()} />
      <Button icon="copy" aria-label={`Copy: ${label}`} onClick={() => void copy(value)}>
        Copy
      </Button>
    </div>
  );
}

async function copy(value: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(value);
    toasts.add({ title: "Copied" });
  } catch {
    toasts.add({ title: "Not copied", description: "The browser blocked it. Select the text and copy it." });
  }
}
