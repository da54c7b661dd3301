import { html, type Markup } from "./html.ts";

interface FormState {
  readonly problem?: string | undefined;
  readonly next: string;
}

/** Sign-in; with a claim token it says what signing in does. */
export function signInForm({ problem, next, claim }: FormState & { claim: string | null }): Markup {
  return html`<form class="card" method="post" action="/login"><h1>Sign in</h1>
${claim === null ? null : html`<p class="notice">An agent asks to join your organization. Signing in claims it: it may then use what your organization has connected.</p><input type="hidden" name="claim" value="${claim}">`}
${notice(problem)}<input type="hidden" name="next" value="${next}">
<label>Email <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button></form>`;
}

/** What somebody who is signed in already confirms. */
export function claimForm(claim: string, organizationName: string): Markup {
  return html`<form class="card" method="post" action="/claim"><h1>Claim an agent</h1>
<p>An agent asks to join <strong>${organizationName}</strong>. It may then use what the organization has connected.</p>
<input type="hidden" name="claim" value="${claim}"><button>Claim the agent</button></form>`;
}

/** The first owner of a new service. */
export function setupForm({ problem, next, token }: FormState & { token: string }): Markup {
  return html`<form class="card" method="post" action="/setup"><h1>Set up Whence</h1>
<p>You become the owner of the organization <strong>default</strong>. The link that brought you here works once.</p>
${notice(problem)}<input type="hidden" name="next" value="${next}"><input type="hidden" name="token" value="${token}">
<label>Name <input name="name" autocomplete="name" required maxlength="100"></label>
<label>Email <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="new-password" minlength="8" maxlength="128" required></label>
<button>Become the owner</button></form>`;
}

function notice(problem: string | undefined): Markup | null {
  return problem === undefined ? null : html`<p class="notice" role="alert">${problem}</p>`;
}
