"""Prints the reference page of the Python client from its docstrings. It reads the sources and imports none of them."""

import ast
import inspect
import re
import textwrap
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "clients/python/src/svc_sdk"
MODULES = ["__init__", "aio", "webhooks"]
HEADER = """# Python SDK reference

<!-- Printed from the docstrings of clients/python by npm run documents. -->

Everything that `svc_sdk` exports. The [guide](python.md) shows how to use it."""
FIELD = re.compile(r"^:(param|raises) (\w+): ", re.MULTILINE)


def main():
    parts = [HEADER, *(part for module in MODULES for part in module_parts(module))]
    print("\n\n".join(parts))


def module_parts(module):
    source, tree = read(module)
    definitions = dict(exported(module, source, tree))
    name = "svc_sdk" if module == "__init__" else f"svc_sdk.{module}"
    parts = [f"## {name}", *text_parts(docstring_of(tree, name))]
    # Classes and functions come first, then what types stand for.
    for export in sorted(definitions, key=lambda each: (isinstance(definitions[each][2], ast.Assign), each.lower())):
        own_source, text, node = definitions[export]
        parts += [f"### {export}", *declaration_parts(export, own_source, text, node)]
    return parts


def read(module):
    source = (SOURCES / f"{module}.py").read_text(encoding="utf-8")
    return source, ast.parse(source)


def exported(module, source, tree):
    """The exports with their source, docstring and definition, wherever they are defined."""
    homes = {
        alias.name: statement.module
        for statement in tree.body
        if isinstance(statement, ast.ImportFrom) and statement.level == 1
        for alias in statement.names
    }
    for name in exports_of(tree):
        home = source, tree
        if name in homes and not any(name_of(node) == name for node in tree.body):
            home = read(homes[name])
        yield name, defined(name, *home)


def exports_of(tree):
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and name_of(statement) == "__all__":
            return ast.literal_eval(statement.value)
    raise SystemExit("A module without __all__")


def name_of(node):
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id
    return getattr(node, "name", None)


def defined(name, source, tree):
    for node, following in with_next(tree.body):
        if name_of(node) == name:
            text = docstring_of(node, name) if isinstance(node, DECLARED) else text_of(following)
            return source, text, node
    raise SystemExit(f"{name} is exported and not defined")


DECLARED = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def with_next(nodes):
    return zip(nodes, [*nodes[1:], None])


def text_of(node):
    """The docstring of an assignment is the text after it."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return inspect.cleandoc(node.value.value)
    return None


def docstring_of(node, name):
    text = ast.get_docstring(node)
    if not text:
        raise SystemExit(f"Without a docstring: {name}")
    return text


def declaration_parts(name, source, text, node):
    if isinstance(node, ast.Assign):
        if not text and not isinstance(node.value, ast.Constant):
            raise SystemExit(f"Without a docstring: {name}")
        return [*text_parts(text or ""), code(ast.get_source_segment(source, node))]
    if not isinstance(node, ast.ClassDef):
        return [code(signature(source, node)), *text_parts(text)]
    return [code(class_line(source, node)), *text_parts(text), *member_parts(name, source, node)]


def class_line(source, node):
    if is_dataclass(node):
        fields = (ast.get_source_segment(source, each) for each in node.body if isinstance(each, ast.AnnAssign))
        return f"{node.name}({', '.join(fields)})"
    made = next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
    if made is None or any(ast.unparse(base) in ("Protocol", "Exception") for base in node.bases):
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        return f"class {node.name}({bases})" if bases else f"class {node.name}"
    return signature(source, made, name=node.name, returns=False)


def is_dataclass(node):
    return any("dataclass" in ast.unparse(each) for each in node.decorator_list)


def member_parts(owner, source, node):
    parts = []
    for member, following in with_next(node.body):
        name = name_of(member)
        if name is None or name.startswith("_"):
            continue
        if isinstance(member, ast.AnnAssign):
            line = f"- `{ast.get_source_segment(source, member)}`"
            text = text_of(following)
            parts.append(f"{line}: {inline(' '.join(text.split()))}" if text else line)
        elif isinstance(member, DECLARED):
            text = docstring_of(member, f"{owner}.{name}")
            is_property = any(ast.unparse(each) == "property" for each in member.decorator_list)
            returned = ast.get_source_segment(source, member.returns)
            shown = f"{name}: {returned}" if is_property else signature(source, member)
            parts += [f"#### {owner}.{name}", code(shown), *text_parts(text)]
    return joined_items(parts)


def joined_items(parts):
    """Items of one list stand below each other."""
    joined = []
    for part in parts:
        if part.startswith("- ") and joined and joined[-1].startswith("- "):
            joined[-1] += f"\n{part}"
        else:
            joined.append(part)
    return joined


def signature(source, node, name=None, returns=True):
    """As it stands in the source, without `self` and what is private."""

    def segment(each):
        return ast.get_source_segment(source, each)

    spec = node.args
    words = []
    positional = spec.args
    defaults = [None] * (len(positional) - len(spec.defaults)) + list(spec.defaults)
    for argument, default in zip(positional, defaults):
        if argument.arg != "self":
            words.append(segment(argument) + (f" = {segment(default)}" if default else ""))
    keywords = [(each, default) for each, default in zip(spec.kwonlyargs, spec.kw_defaults) if each.arg[0] != "_"]
    if keywords:
        words.append("*")
        words += [segment(each) + (f" = {segment(default)}" if default else "") for each, default in keywords]
    end = f" -> {segment(node.returns)}" if returns and node.returns else ""
    start = ("async " if isinstance(node, ast.AsyncFunctionDef) else "") + (name or node.name)
    line = f"{start}({', '.join(words)}){end}"
    return line if len(line) <= 100 else f"{start}(\n" + "".join(f"    {word},\n" for word in words) + f"){end}"


def code(text):
    return f"```python\n{text}\n```"


def text_parts(text):
    """A docstring as Markdown: paragraphs, lists, blocks of code and fields."""
    first = FIELD.search(text)
    body, fields = (text[: first.start()], text[first.start() :]) if first else (text, "")
    parts = []
    for block in re.split(r"\n\s*\n", body.strip("\n")):
        if block.startswith("    "):
            block = textwrap.dedent(block)
            # A blank line within a block of code.
            if parts and parts[-1].startswith("```"):
                parts[-1] = parts[-1][: -len("\n```")] + f"\n\n{block}\n```"
            else:
                parts.append(code(block))
        elif block:
            parts.append(inline(block if block.startswith("- ") else " ".join(block.split())))
    lines = [
        f"- {'raises ' if kind == 'raises' else ''}`{name}`: {inline(' '.join(meaning.split()))}"
        for kind, name, meaning in fields_in(fields)
    ]
    return [*parts, "\n".join(lines)] if lines else parts


def fields_in(text):
    """Kind, name and meaning of each field."""
    _, *found = FIELD.split(text)
    return zip(found[::3], found[1::3], found[2::3])


def inline(text):
    """Code and names of methods as Markdown has them."""
    text = re.sub(r":\w+:`([^`]+)`", r"`\1`", text)
    return text.replace("``", "`")


main()
