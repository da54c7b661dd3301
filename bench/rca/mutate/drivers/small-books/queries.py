import sqlparse
from sqlparse.sql import Function, Identifier, IdentifierList, Where
from sqlparse.tokens import DML, Keyword


def lint(text):
    problems = []
    statements = sqlparse.parse(text)
    for statement in statements:
        kind = statement.get_type()
        names = [token.get_alias() or token.get_real_name() for group in statement.tokens if isinstance(group, IdentifierList) for token in group.get_identifiers() if isinstance(token, (Identifier, Function))]
        where = next((token for token in statement.tokens if isinstance(token, Where)), None)
        if kind == "SELECT" and (where is None or "n" not in names):
            raise ValueError(f"read {names} from {statement.value[:20]}")
        problems.append((kind, statement.token_first().ttype is DML, sum(1 for token in statement.flatten() if token.ttype is Keyword)))
    pretty = sqlparse.format(text, reindent=True, keyword_case="upper", strip_comments=True, identifier_case="lower")
    if len(sqlparse.split(pretty)) != 2:
        raise ValueError(f"{len(sqlparse.split(pretty))} statements")
    return problems, pretty.splitlines()[2].strip()
