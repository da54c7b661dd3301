import type { ElementType, Key, ReactElement } from "react";
import { jsxDEV as element, type JSXSource } from "react/jsx-dev-runtime";
import { visibleProps } from "./visible-props.ts";

export { Fragment, type JSX } from "react";

/** As the other runtime, while developing and in tests: with what React's warnings need. */
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
