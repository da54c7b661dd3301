import { Dialog as Base } from "@base-ui/react/dialog";
import type { JSX, ReactNode } from "react";
import styles from "./dialog.module.css";
import hidden from "./visually-hidden.module.css";

export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** Whether the title is visible, or only for screen readers. */
  readonly titled?: boolean;
  readonly children: ReactNode;
}

/** A modal dialog: takes the focus, returns it, and closes on Escape. */
export function Dialog({ open, onOpenChange, title, titled = true, children }: DialogProps): JSX.Element {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        {/* A dialog that scrolls and has nothing to focus is read with the arrow keys. */}
        <Base.Popup className={styles.popup} tabIndex={0}>
          <Base.Title className={titled ? styles.title : hidden.hidden}>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
