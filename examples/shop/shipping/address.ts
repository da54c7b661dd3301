/** Where a parcel goes, as the customer wrote it. */
export interface Address {
  readonly name: string;
  readonly postcode: string;
  readonly city: string;
}

/** The lines of a label, the postcode without the spaces that people put into it. */
export function addressLines({ name, postcode, city }: Address): string[] {
  return [name, `${postcode.replaceAll(" ", "")} ${city}`];
}
