import { type JSX, type ReactNode, useState } from "react";
import { Icon } from "../../../components/icon.tsx";
import { usePrinting } from "../../../lib/use-printing.ts";
import styles from "./folded.module.css";

export interface FoldedProps {
  readonly title: string;
  /** Shown next to the title, such as a count. */
  readonly note?: string;
  /** Whether it is open, where something other than its title opens it too; then `onToggle` keeps that. */
  readonly isOpen?: boolean;
  readonly onToggle?: (isOpen: boolean) => void;
  /** Whether it is printed, also while it is folded. */
  readonly isPrinted?: boolean;
  /** Rendered once it is open. */
  readonly children: () => ReactNode;
}

/** A part of a page that most readers don't need: its title, and the rest once it is opened. */
export function Folded({ title, note, isOpen: given, onToggle, isPrinted = true, children }: FoldedProps): JSX.Element {
  const [isOpenOnClick, setOpen] = useState(false);
  const isOpen = given ?? isOpenOnClick;
  const isPrinting = usePrinting();
  if (isPrinting && isPrinted) {
    return (
      <section className={styles.printed}>
        <h2>{title}</h2>
        {children()}
      </section>
    );
  }
  return (
    <details
      className={styles.folded}
      data-printed={isPrinted ? undefined : "no"}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        onToggle?.(currentTarget.open);
      }}
    >
      <summary>
        <Icon name="chevron" size={12} />
        <h2>{title}</h2>
        {note === undefined ? null : <span className={styles.note}>{note}</span>}
      </summary>
      {isOpen ? <div className={styles.body}>{children()}</div> : null}
    </details>
  );
}
