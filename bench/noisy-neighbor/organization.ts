import { z } from "zod";

const organizationSchema = z.object({ id: z.string() });
const keySchema = z.object({ api_key: z.string() });

/** Signs a person up, creates an organization, and returns its key. The service must allow open sign-up. */
export async function openOrganization(url: string, slug: string): Promise<string> {
  const person = { name: slug, email: `owner@${slug}.example`, password: "correct horse battery" };
  const { cookie } = await post(url, "/api/auth/sign-up/email", person, "");
  const made = await post(url, "/api/auth/organization/create", { name: slug, slug }, cookie);
  const { id } = organizationSchema.parse(made.body);
  const active = await post(url, "/api/auth/organization/set-active", { organizationId: id }, cookie);
  const key = await post(url, "/api/keys", { name: "bench", scope: "full" }, active.cookie || cookie);
  return keySchema.parse(key.body).api_key;
}

async function post(url: string, path: string, body: object, cookie: string) {
  const headers = { "content-type": "application/json", origin: url, cookie };
  const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
  return { body: JSON.parse(text), cookie: cookies.join("; ") };
}
