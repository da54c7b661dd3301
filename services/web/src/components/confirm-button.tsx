import { type JSX, Suspense, useState } from "react";
import { Button } from "./button.tsx";
import type { ConfirmDialogProps } from "./confirm-dialog.tsx";
import { lazyPart } from "./lazy-part.tsx";

// The library of dialogs loads once someone is about to confirm.
const ConfirmDialog = lazyPart(async () => ({ default: (await import("./confirm-dialog.tsx")).ConfirmDialog }));

export interface ConfirmButtonProps extends Omit<ConfirmDialogProps, "onClose"> {
  /** What it acts on, which distinguishes buttons with the same text. */
  readonly of: string;
  /** `quiet` where each row of a list has one. */
  readonly look?: "danger" | "quiet";
}

/** A button that asks for confirmation before it acts. */
export function ConfirmButton({ of, look = "danger", ...asked }: ConfirmButtonProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { label } = asked;
  return (
    <>
      <Button look={look} aria-label={`${label} ${of}`} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? (
        <Suspense>
          <ConfirmDialog {...asked} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
