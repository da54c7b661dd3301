export function encodeCursor(position: number): string {
  return Buffer.from(JSON.stringify({ position, v: 1 }), 'utf8').toString('base64url');
}

export function decodeCursor(text: string): number {
  const { position, v } = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as { position: number; v: number };
  if (v !== 1 || !Number.isInteger(position)) throw new TypeError(`not a cursor: ${text}`);
  return position;
}
