/** Uses the setup link that a new service printed, and returns the cookie of its first owner's session. */
export async function becomeOwner(url: string, printed: string): Promise<string> {
  const token = /\/setup\?token=([^\s&]+)/.exec(printed)?.[1] ?? "";
  const owner = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
  const answer = await fetch(`${url}/api/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...owner, token }),
  });
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
}
