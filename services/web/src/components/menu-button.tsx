import type { JSX } from "react";
import { Button } from "./button.tsx";
import type { IconName } from "./icon.tsx";

interface MenuButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly busy: boolean;
  onClick(): void;
}

/** The button of a menu that hasn't loaded yet. */
export function MenuButton({ label, ...button }: MenuButtonProps): JSX.Element {
  return (
    <Button {...button} aria-haspopup="menu" aria-expanded={false}>
      {label}
    </Button>
  );
}
