import { useMutation } from "@tanstack/react-query";
import { type JSX, lazy, type ReactNode, Suspense, useState } from "react";
import { Button } from "./button.tsx";
import styles from "./confirm-button.module.css";
import { Problem } from "./problem.tsx";

// The library of dialogs loads once someone is about to confirm.
const Dialog = lazy(async () => ({ default: (await import("./dialog.tsx")).Dialog }));

export interface ConfirmButtonProps {
  /** The button's text. */
  readonly label: string;
  /** What it acts on, which distinguishes buttons with the same text. */
  readonly of: string;
  /** The question. */
  readonly title: string;
  /** The consequence. */
  readonly children: ReactNode;
  readonly action: () => Promise<unknown>;
}

/** A button that asks for confirmation, naming the consequence, before it acts. A failure is shown in the same dialog. */
export function ConfirmButton({ label, of, title, children, action }: ConfirmButtonProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const doing = useMutation({ mutationFn: action, onSuccess: () => setIsOpen(false) });
  const onOpenChange = (open: boolean): void => {
    doing.reset();
    setIsOpen(open);
  };
  return (
    <>
      <Button look="danger" aria-label={`${label} ${of}`} onClick={() => onOpenChange(true)}>
        {label}
      </Button>
      {isOpen ? (
        <Suspense>
          <Dialog open onOpenChange={onOpenChange} title={title}>
            <div className={styles.body}>
              {children}
              {doing.error ? <Problem error={doing.error} /> : null}
              <div className={styles.actions}>
                <Button onClick={() => onOpenChange(false)}>Cancel</Button>
                <Button look="danger" busy={doing.isPending} onClick={() => doing.mutate()}>
                  {label}
                </Button>
              </div>
            </div>
          </Dialog>
        </Suspense>
      ) : null}
    </>
  );
}
