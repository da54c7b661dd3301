import type { JSX, SelectHTMLAttributes } from "react";
import { Labelled, type Labels } from "./labelled.tsx";

export interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement>, Labels {
  readonly options: readonly { readonly value: string; readonly name: string }[];
}

/** A labeled choice of one option. */
export function Select({ label, hint, problem, options, ...select }: SelectProps): JSX.Element {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(control) => (
        <select {...select} {...control}>
          {options.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
