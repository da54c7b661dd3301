import type { JSX, KeyboardEvent } from "react";
import styles from "./text-input.module.css";

export interface TextInputProps {
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (text: string) => void;
  /** ⌘Enter or Ctrl-Enter. */
  readonly onSend: () => void;
}

/** The input for an error. */
export function TextInput({ value, problem, onChange, onSend }: TextInputProps): JSX.Element {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    onSend();
  };
  return (
    <div className={styles.field}>
      <label htmlFor="error-text">Error</label>
      <textarea
        id="error-text"
        className={styles.text}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeyDown}
        placeholder="Paste a stack trace, log lines, or an alert, or describe what happened."
        rows={14}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : "error-text-problem"}
      />
      {problem === null ? null : (
        <p id="error-text-problem" role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
