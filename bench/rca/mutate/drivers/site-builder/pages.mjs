export const pages = {
  start: `---
title: Start
tags: [intro, news]
---
Hello *world* & **all**. <!-- more -->

- one https://example.org/a
- two
  1. nested \`code\`

> quote with [link][ref] and <script>alert(1)</script>

[ref]: https://example.org/ref "title"
`,
  prices: `---
title: Prices
tags:
  - money
---
All "prices" <!-- more --> in euro...

| plan | price |
|------|------:|
| team | 12    |

\`\`\`js
const a = 1;
\`\`\`

![logo](https://example.org/logo.png) <p style="text-align: right; color: red">mail <a href="mailto:me@example.org">me</a></p>

Term ~~old~~ line  
break \\* and http://example.com.
`,
};
