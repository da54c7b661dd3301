/** Returns the name of the checkbox for one value of a choice. */
export function choiceName(name: string, value: string): string {
  return `${name}.${value}`;
}

/** Returns which options are chosen in a form, in the order of the options. */
export function chosenOf<Value extends string>(
  fields: Readonly<Record<string, string>>,
  name: string,
  options: readonly { readonly value: Value }[],
): Value[] {
  return options.map(({ value }) => value).filter((value) => fields[choiceName(name, value)] !== undefined);
}
