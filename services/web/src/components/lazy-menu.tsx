import { type ComponentType, type JSX, type ReactElement, Suspense, useState } from "react";

export interface MenuState {
  readonly open: boolean;
  onOpenChange(open: boolean): void;
}

interface LazyMenuProps<Rest> {
  /** The button until the menu has loaded, which has the same one. */
  readonly button: ReactElement;
  readonly menu: ComponentType<Rest & MenuState>;
  readonly of: Rest;
  readonly state: MenuState;
}

/** A menu whose library loads once it is opened, and stays. */
export function LazyMenu<Rest extends object>({ button, menu: Menu, of, state }: LazyMenuProps<Rest>): JSX.Element {
  const [isAsked, setAsked] = useState(state.open);
  if (state.open && !isAsked) setAsked(true);
  return isAsked ? (
    <Suspense fallback={button}>
      <Menu {...of} {...state} />
    </Suspense>
  ) : (
    button
  );
}
