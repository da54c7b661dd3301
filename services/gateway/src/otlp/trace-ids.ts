/** Whether it is an ID of 16 bytes that aren't all 0. */
export function isTraceId(id: string): boolean {
  return /^[0-9a-f]{32}$/.test(id) && /[^0]/.test(id);
}

/** Whether it is an ID of 8 bytes that aren't all 0. */
export function isSpanId(id: string): boolean {
  return /^[0-9a-f]{16}$/.test(id) && /[^0]/.test(id);
}
