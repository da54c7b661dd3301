const sessions = new Map<string, number>();

export async function openSession(): Promise<{ id: string; validForMs: number }> {
  await pause(3);
  const id = `pay_${sessions.size + 1}`;
  sessions.set(id, Date.now() + 450);
  return { id, validForMs: 450 };
}

export async function charge(session: string, cents: number, signal: AbortSignal): Promise<Response> {
  await pause(25);
  if (signal.aborted) throw signal.reason;
  if ((sessions.get(session) ?? 0) < Date.now()) return Response.json({ error: 'session expired' }, { status: 401 });
  if (!Number.isInteger(cents)) return Response.json({ error: `amount ${cents} is no integer` }, { status: 422 });
  return Response.json({ paid: cents });
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
