import type { ElementType, Key, ReactElement } from "react";
import { jsx as element, jsxs as elementOfSeveral } from "react/jsx-runtime";
import { visibleProps } from "./visible-props.ts";

export { Fragment, type JSX } from "react";

/** What the compiler makes of JSX: React's element, whose texts hide nothing. So no list can forget it. */
export function jsx(type: ElementType, props: object, key?: Key): ReactElement {
  return element(type, visibleProps(props), key);
}

/** As {@link jsx}, of an element with several children. */
export function jsxs(type: ElementType, props: object, key?: Key): ReactElement {
  return elementOfSeveral(type, visibleProps(props), key);
}
