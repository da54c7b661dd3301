from jinja2 import DictLoader, Environment, StrictUndefined
from mako.lookup import TemplateLookup
from markupsafe import Markup, escape

ORDERS = [
    {"customer": {"name": "Ada <b>", "since": 2019}, "lines": [{"text": "mug", "count": 2, "price": 4.5}, {"text": "a & b", "count": 1, "price": 11}], "total": 20.0, "tags": ["new", "big"]},
    {"customer": {"name": "Bo", "since": 2024}, "lines": [{"text": "cup", "count": 1, "price": 3}], "total": 3.0, "tags": []},
]

JINJA = {
    "base": "Dear {{ customer.name }}\n{% block body %}{% endblock %}\nTotal: {{ '%.2f' % total }}\n",
    "macros": "{% macro line(item, unit='EUR') -%}{{ item.count }} x {{ item.text|title }} {{ (item.count * item.price)|money }} {{ unit }}{%- endmacro %}",
    "letter": """{% extends 'base' %}{% from 'macros' import line %}
{% block body %}{% set ns = namespace(sum=0) %}{% for item in lines|sort(attribute='text') if item.count > 0 %}
{{ loop.index }}/{{ loop.length }} {{ line(item) }}{% set ns.sum = ns.sum + item.count * item.price %}
{% else %}nothing{% endfor %}
{% if tags and customer.since < 2020 %}{{ tags|join(', ') }}{% elif not tags %}{{ 'none'|upper }}{% endif %}
{% filter indent(2) %}{{ lines|map(attribute='text')|list|length }} lines, {{ lines|groupby('count')|first|first }}{% endfilter %}
{% with first = lines[0] %}{{ first.text|truncate(3, true, '') }} {{ ns.sum is number }}{% endwith %}
{% call(x) wrap() %}{{ x }}{% endcall %}{% endblock %}""",
}
JINJA["letter"] = "{% macro wrap() %}[{{ caller('in') }}]{% endmacro %}".join(["", ""]) and JINJA["letter"].replace("{% block body %}", "{% block body %}{% macro wrap() %}[{{ caller('in') }}]{% endmacro %}")

MAKO = """<%! from html import escape as e %><%def name="line(item)">${item['count']} x ${item['text'] | e}</%def>\\
Dear ${customer['name'] | h}
% for item in lines:
${loop.index + 1}. ${line(item)}
% endfor
<% best = max(lines, key=lambda each: each['price']) %>
% if tags:
${', '.join(tags)} ${best['text']}
% else:
none
% endif
## a comment
<%block name="closing">Bye</%block>
Total: ${'%.2f' % total}
"""

environment = Environment(loader=DictLoader(JINJA), autoescape=True, undefined=StrictUndefined, extensions=["jinja2.ext.loopcontrols"])
environment.filters["money"] = lambda value: Markup("<i>{:.2f}</i>").format(value)
lookup = TemplateLookup(default_filters=["str"])
lookup.put_string("letter", MAKO)


def render_all(order):
    page = environment.get_template("letter").render(order)
    if str(escape(order["customer"]["name"])) not in page:
        raise ValueError("the name is missing")
    plain = Markup(page).striptags() and Markup(page).unescape()
    return {"jinja": plain, "mako": lookup.get_template("letter").render(**order)}
