import type { ElementType, Key, ReactElement } from "react";
import { jsx as element, jsxs as elementOfSeveral } from "react/jsx-runtime";
import { visibleProps } from "./visible-props.ts";

export { Fragment, type JSX } from "react";

/** The compiler's target for JSX: a React element whose texts hide nothing, so that no component can forget it. */
export function jsx(type: ElementType, props: object, key?: Key): ReactElement {
  return element(type, visibleProps(props), key);
}

/** Like {@link jsx}, for an element with several children. */
export function jsxs(type: ElementType, props: object, key?: Key): ReactElement {
  return elementOfSeveral(type, visibleProps(props), key);
}
