import { type JSX, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "./button.tsx";
import styles from "./toasts.module.css";

/** What was done, or why it failed. */
export interface Toast {
  readonly title: string;
  readonly description?: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Whether it is shown until its action is taken. */
  readonly stays?: boolean;
}

interface ShownToast extends Toast {
  readonly id: number;
}

const shownMs = 6_000;
/** The oldest gives way to more. */
const shownMax = 3;

let shown: readonly ShownToast[] = [];
let added = 0;
const listeners = new Set<() => void>();

function show(next: readonly ShownToast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Says on any page, for a few seconds, what was done or why it failed. */
export const toasts = {
  add(toast: Toast): void {
    added += 1;
    const [staying, passing] = [shown.filter(({ stays }) => stays), shown.filter(({ stays }) => !stays)];
    show([...staying, ...[...passing, { ...toast, id: added }].slice(-shownMax)]);
  },
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Where toasts are shown and announced; rendered once in the application. They stay while they are pointed at. */
export function Toasts(): JSX.Element {
  const open = useSyncExternalStore(subscribe, () => shown);
  const [isHeld, setHeld] = useState(false);
  const [hold, release] = [() => setHeld(true), () => setHeld(false)];
  const viewport = useRef<HTMLDivElement>(null);
  // A toast that goes takes the focus along, and no event says so.
  useEffect(() => {
    if (!viewport.current?.matches(":focus-within, :hover")) release();
  }, [open]);
  return (
    <div
      ref={viewport}
      role="status"
      // Dialogs hide what is around them from screen readers, but not what has this attribute.
      aria-live="polite"
      className={styles.viewport}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      {open.map((toast) => (
        <OneToast key={toast.id} toast={toast} isHeld={isHeld} />
      ))}
    </div>
  );
}

interface OneToastProps {
  readonly toast: ShownToast;
  readonly isHeld: boolean;
}

/** Goes after a few seconds in which it wasn't held. */
function OneToast({ toast, isHeld }: OneToastProps): JSX.Element {
  const { id, title, description, action, stays = false } = toast;
  useEffect(() => {
    if (isHeld || stays) return;
    const timer = setTimeout(() => remove(id), shownMs);
    return () => clearTimeout(timer);
  }, [id, isHeld, stays]);
  const act = (): void => {
    document.getElementById("content")?.focus({ preventScroll: true });
    remove(id);
    action?.run();
  };
  return (
    <div className={styles.toast}>
      <p className={styles.title}>{title}</p>
      {description === undefined ? null : <p className={styles.description}>{description}</p>}
      {action ? (
        <Button look="quiet" onClick={act}>
          {action.label}
        </Button>
      ) : null}
    </div>
  );
}

function remove(id: number): void {
  show(shown.filter((one) => one.id !== id));
}
