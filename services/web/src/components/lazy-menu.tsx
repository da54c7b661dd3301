import { type ComponentType, type JSX, type ReactElement, Suspense, useState } from "react";
import type { Replaceable } from "./lazy-part.tsx";

export interface MenuState {
  readonly open: boolean;
  onOpenChange(open: boolean): void;
}

interface LazyMenuProps<Rest> {
  /** The button until the menu has loaded, which has the same one, and if it can't be. */
  readonly button: ReactElement;
  readonly menu: ComponentType<Rest & MenuState & Replaceable>;
  readonly of: Rest;
  readonly state: MenuState;
}

/** A menu whose library loads once it is opened, and stays. */
export function LazyMenu<Rest extends object>({ button, menu: Menu, of, state }: LazyMenuProps<Rest>): JSX.Element {
  const [isAsked, setAsked] = useState(state.open);
  if (state.open && !isAsked) setAsked(true);
  return isAsked ? (
    <Suspense fallback={button}>
      <Menu {...of} {...state} instead={button} />
    </Suspense>
  ) : (
    button
  );
}
