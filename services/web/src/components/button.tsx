import type { ButtonHTMLAttributes, JSX } from "react";
import styles from "./button.module.css";
import { Icon, type IconName } from "./icon.tsx";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: "plain" | "main" | "quiet" | "danger";
  readonly icon?: IconName;
  /** Disables the button while its action is running. */
  readonly busy?: boolean;
}

/** A button; one with an icon and no text needs an `aria-label`. */
export function Button({ look = "plain", icon, busy = false, children, ...rest }: ButtonProps): JSX.Element {
  return (
    <button
      type="button"
      {...rest}
      className={`${styles.button} ${styles[look]}`}
      aria-disabled={busy || undefined}
      disabled={rest.disabled || busy}
    >
      {icon ? <Icon name={icon} /> : null}
      {children}
    </button>
  );
}
