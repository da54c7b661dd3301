import { problemsOf } from './check.mjs';

export class Accounts {
  #known = new Map();

  signUp(form) {
    const problems = problemsOf(form);
    if (problems.length > 0) return { status: 422, problems };
    if (this.#known.has(form.mail)) return { status: 409, problems: ['mail address is taken'] };
    this.#known.set(form.mail, form);
    return { status: 201, problems: [] };
  }
}
