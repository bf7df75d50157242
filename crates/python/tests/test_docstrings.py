"""Every public name is documented, and the examples do what they say."""

import doctest
import inspect
from pathlib import Path

import pytest

import stoneline

PARSER = doctest.DocTestParser()


def documented():
    yield "stoneline", stoneline
    for name in stoneline.__all__:
        thing = getattr(stoneline, name)
        if isinstance(thing, str):
            continue
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    yield f"{name}.{member}", getattr(value, "__func__", value)


@pytest.mark.parametrize(("name", "thing"), list(documented()), ids=lambda part: str(part)[:40])
def test_examples(name, thing):
    assert thing.__doc__, f"{name} has no docstring"
    scope = {key: getattr(stoneline, key) for key in stoneline.__all__}
    test = PARSER.get_doctest(thing.__doc__, scope, name, None, None)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.failed == 0


def test_there_are_examples():
    assert sum(">>>" in (thing.__doc__ or "") for _, thing in documented()) >= 15


@pytest.mark.parametrize("name", ["README.md", "docs/python.md", "crates/python/README.md"])
def test_examples_of_the_guides_run(name):
    text = (Path(__file__).parents[3] / name).read_text()
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    assert blocks
    for block in blocks:
        exec(compile(block, name, "exec"), {})
