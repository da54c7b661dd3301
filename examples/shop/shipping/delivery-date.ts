/** The day on which a parcel arrives, such as `2031-05-06`, from the carrier's words. */
export function deliveryDate(arrives: string): string {
  return new Date(arrives).toISOString().slice(0, "2031-05-06".length);
}
