import markdown
import mistune
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers.python import PythonLexer


class Renderer(mistune.HTMLRenderer):
    def block_code(self, code, info=None):
        return highlight(code, PythonLexer(), HtmlFormatter(linenos=False, cssclass="code", hl_lines=[1]))


def write(text):
    first = mistune.create_markdown(renderer=Renderer(escape=False), plugins=["table", "strikethrough", "footnotes"])
    second = markdown.Markdown(extensions=["tables", "fenced_code", "toc", "attr_list", "footnotes"], output_format="html")
    pages = {"mistune": first(text), "markdown": second.convert(text)}
    if second.toc_tokens[0]["name"] != "Plan b":
        raise ValueError(f"the table of contents has {second.toc_tokens}")
    return pages
