import { pages } from './pages.mjs';
import { build } from './build.mjs';

const site = build(pages);
for (const page of site) {
  const heading = /<h1>(.*?)<\/h1>/.exec(page.html)[1];
  if (heading !== page.title) throw new Error(`${page.slug} is titled ${page.title} but says ${heading}`);
  if (page.html.includes('<script')) throw new Error(`${page.slug} holds a script`);
  console.log(page.slug, page.links.map((link) => link.slice(0, 10)).join(' '), page.tags[0].toUpperCase());
}
