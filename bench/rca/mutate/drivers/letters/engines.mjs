import ejs from 'ejs';
import { Liquid } from 'liquidjs';
import mustache from 'mustache';
import nunjucks from 'nunjucks';

const environment = new nunjucks.Environment(null, { autoescape: true, trimBlocks: true });
environment.addFilter('money', (value, digits = 2) => value.toFixed(digits));
environment.addGlobal('company', { city: 'Oslo' });
const liquid = new Liquid({ templates: { item: '{{ item.count }} x {{ item.title | escape }}' } });
liquid.registerFilter('money', (value) => value.toFixed(2));

const templates = {
  nunjucks: `{% macro line(item) %}{{ item.count }} x {{ item.title }} at {{ item.price | money }}{% endmacro -%}
Dear {{ name }} of {{ company.city | upper }}
{% for item in items | sort(attribute='price') %}
{{ loop.index }}. {{ line(item) }}
{% else %}nothing{% endfor %}
{% if plan and plan.seats > 3 %}{% set big = true %}Large plan {{ plan.name | capitalize | default('none') }}{% endif %}

Total: {{ total | money }}
{{ items | map(attribute='title') | join(', ') if false else (items | length) ~ ' items' }}`,
  mustache: `Dear {{name}}
{{#items}}
{{count}} x {{title}} {{#bold}}{{price}}{{/bold}}
{{> note}}
{{/items}}
{{^plan}}No plan{{/plan}}
{{! comment }}Total: {{{total}}}`,
  ejs: `<%# letter %>Dear <%= name %>
<% for (const item of items) { -%>
<%= item.count %> x <%- item.title %>
<% } -%>
<%_ if (plan) { _%>
Plan <%= plan.name %>
<%_ } _%>
Total: <%= total.toFixed(2) %>`,
  liquid: `{% assign first = items | first %}Dear {{ name | escape }}, since {{ since | date: '%d.%m.%Y' }}
{% for item in items limit: 5 %}{% render 'item', item: item %}
{% endfor %}{% case plan.name %}{% when 'team' %}Team{% else %}None{% endcase %}
{% capture line %}{{ items | map: 'title' | join: ', ' | upcase }}{% endcapture %}{{ line }}
{% if plan.seats > 3 and first.price < 20 %}big{% elsif plan %}small{% endif %}
Total: {{ total | money }}`,
};

export async function render(engine, customer) {
  if (engine === 'nunjucks') return environment.renderString(templates.nunjucks, customer);
  if (engine === 'ejs') return ejs.compile(templates.ejs, { client: false })(customer);
  if (engine === 'liquid') return liquid.parseAndRender(templates.liquid, customer);
  const view = { ...customer, bold: () => (text, inner) => `*${inner(text)}*` };
  return mustache.render(templates.mustache, view, { note: 'each {{price}}' });
}
