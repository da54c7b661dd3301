import type { ElementType, Key, ReactElement } from "react";
import { jsxDEV as element, type JSXSource } from "react/jsx-dev-runtime";
import { visibleProps } from "./visible-props.ts";

export { Fragment, type JSX } from "react";

/** Like the other runtime, for development and tests, with the information for React's warnings. */
export function jsxDEV(
  type: ElementType,
  props: object,
  key: Key | undefined,
  isStatic: boolean,
  source?: JSXSource,
  self?: unknown,
): ReactElement {
  return element(type, visibleProps(props), key, isStatic, source, self);
}
