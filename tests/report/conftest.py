"""Records to render, and a strict reader of what comes out."""

import runpy
from html.parser import HTMLParser
from pathlib import Path

import pytest

EVERY = runpy.run_path(str(Path(__file__).with_name("records.py")))["EVERY"]
VOID = {"meta", "link", "br", "input", "img", "hr", "wbr"}


class Element:
    """A tag with its attributes, what stands in it, and where it stands."""

    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, dict(attributes), parent
        self.children, self.pieces = [], []

    def __getitem__(self, name):
        return self.attributes.get(name)

    def all(self, tag=None, **wanted):
        """Return the elements inside with this tag and these attributes, in their order."""
        wanted = {name.rstrip("_"): value for name, value in wanted.items()}
        fits = tag in (None, self.tag) and wanted.items() <= self.attributes.items()
        return [self] * fits + [e for child in self.children for e in child.all(tag, **wanted)]

    @property
    def text(self):
        return "".join(p if isinstance(p, str) else p.text for p in self.pieces)


class Reader(HTMLParser):
    """Builds the tree; refuses tags that are not closed in the order they were opened."""

    def __init__(self):
        super().__init__()
        self.root = self.at = Element("page", (), None)

    def handle_starttag(self, tag, attributes):
        assert len({name for name, _ in attributes}) == len(attributes), f"twice in <{tag}>"
        element = Element(tag, attributes, self.at)
        self.at.children.append(element)
        self.at.pieces.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag, attributes):
        at = self.at
        self.handle_starttag(tag, attributes)
        self.at = at

    def handle_endtag(self, tag):
        assert tag == self.at.tag, f"</{tag}> closes <{self.at.tag}>"
        self.at = self.at.parent

    def handle_data(self, data):
        self.at.pieces.append(data)


def parse(markup):
    reader = Reader()
    reader.feed(markup)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is never closed"
    return reader.root


@pytest.fixture
def read():
    return parse


@pytest.fixture(params=EVERY)
def record(request):
    return EVERY[request.param]()


@pytest.fixture
def make():
    """Return the makers of the records, by name."""
    return EVERY
