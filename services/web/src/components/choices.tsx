import { type JSX, useId } from "react";
import { choiceName } from "../lib/chosen.ts";
import styles from "./choices.module.css";
import { describedBy, FieldNotes } from "./field-notes.tsx";

export interface ChoicesProps {
  readonly label: string;
  readonly name: string;
  readonly options: readonly { readonly value: string; readonly name: string }[];
  /** The initial choice. */
  readonly chosen: readonly string[];
  readonly hint?: string;
  readonly problem?: string | undefined;
  /** Called whenever an option is selected or cleared. */
  readonly onChoice?: (value: string, isChosen: boolean) => void;
}

/** A labeled choice of any number of options; {@link chosenOf} reads it from its form's fields. */
export function Choices({ label, name, options, chosen, hint, problem, onChoice }: ChoicesProps): JSX.Element {
  const id = useId();
  return (
    <fieldset className={styles.choices} aria-describedby={describedBy(id, { hint, problem })}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.choice}>
          <input
            type="checkbox"
            name={choiceName(name, option.value)}
            defaultChecked={chosen.includes(option.value)}
            onChange={({ target }) => onChoice?.(option.value, target.checked)}
            aria-invalid={problem ? true : undefined}
          />
          {option.name}
        </label>
      ))}
      <FieldNotes id={id} hint={hint} problem={problem} />
    </fieldset>
  );
}
