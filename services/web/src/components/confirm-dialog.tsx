import { useMutation } from "@tanstack/react-query";
import type { JSX, ReactNode } from "react";
import { Button } from "./button.tsx";
import styles from "./confirm-dialog.module.css";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./problem.tsx";

export interface ConfirmDialogProps {
  /** The text of the button that acts. */
  readonly label: string;
  /** The question. */
  readonly title: string;
  /** The consequence. */
  readonly children: ReactNode;
  readonly action: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for confirmation, naming the consequence, before something is done. A failure is shown in it. */
export function ConfirmDialog({ label, title, children, action, onClose }: ConfirmDialogProps): JSX.Element {
  const doing = useMutation({ mutationFn: action, onSuccess: onClose });
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title={title}>
      <div className={styles.body}>
        {children}
        {doing.error ? <Problem error={doing.error} /> : null}
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" busy={doing.isPending} onClick={() => doing.mutate()}>
            {label}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
