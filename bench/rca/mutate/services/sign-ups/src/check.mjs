import { rules } from './rules.mjs';

export function problemsOf(form) {
  const problems = [];
  for (const [field, rule] of Object.entries(rules)) {
    if (form[field] === undefined) continue;
    if (!rule.pattern.test(form[field])) problems.push(`${rule.label} is malformed`);
  }
  return problems;
}
