"""Less than a whole study: what is asked for by name, and how much of it."""

import pytest

from tailsafe.errors import InvalidData
from tailsafe.study.design import Grid, Study
from tailsafe.study.paper import paper_study
from tailsafe.study.parts import Part, narrowed
from tailsafe.study.published.profile import Published
from tailsafe.study.sources import FromPrior, Source
from tailsafe.study.text import Text


@pytest.fixture
def whole(tiny):
    both = (tiny.Tiny(), tiny.Tiny(name="other"))
    labels = {"lake 1": both, "lake 2": both, "ring": both[:1]}
    return Study(
        "s", 0, tuple(Grid(n, Source("ring"), 8, (8, 16, 24), 5, p) for n, p in labels.items())
    )


def asked(study):
    return [(grid.label, tuple(p.name for p in grid.profiles)) for grid in study.grids]


def test_domains_are_named_by_their_label_or_their_first_word(whole):
    assert asked(narrowed(whole, ["lake 2"])) == [("lake 2", ("tiny", "other"))]
    assert [label for label, _ in asked(narrowed(whole, ["lake"]))] == ["lake 1", "lake 2"]


def test_domains_that_a_profile_is_not_made_for_are_left_out(whole):
    assert asked(narrowed(whole, profiles=["other"])) == [
        ("lake 1", ("other",)),
        ("lake 2", ("other",)),
    ]
    with pytest.raises(InvalidData, match="no profile of other is made for ring"):
        narrowed(whole, ["ring"], ["other"])


def test_quick_takes_the_ends_and_few_logs(whole):
    quick = narrowed(whole, quick=True)
    assert {grid.sizes for grid in quick.grids} == {(8, 24)}
    assert {grid.trials for grid in quick.grids} == {3}
    assert {grid.trials for grid in narrowed(whole, trials=9, quick=True).grids} == {9}
    single = Study("s", 0, (Grid("ring", Source("ring"), 8, (8,), 5, whole.grids[0].profiles),))
    assert narrowed(single, quick=True).grids[0].sizes == (8,)


def test_a_part_fits_into_the_same_store(whole):
    part, of_all = narrowed(whole, ["lake 1"], ["other"], 2, quick=True), whole.identity()
    assert all(of_all[key] == content for key, content in part.identity().items())
    assert set(narrowed(whole, ["lake 1"], ["other"], 2).units()) <= set(whole.units())


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({"domains": ["sea"]}, "there is no domain 'sea'; there are lake 1, lake 2, ring"),
        ({"profiles": ["mine"]}, "there is no profile 'mine'; there are tiny, other"),
    ],
)
def test_unknown_names_are_refused_with_those_there_are(known, words, whole):
    with pytest.raises(InvalidData, match=words):
        narrowed(whole, **known)


@pytest.mark.parametrize("numbers", [(0, 3), (4, 3), (1, 0)])
def test_parts_that_do_not_exist_are_refused(numbers):
    with pytest.raises(InvalidData, match="does not exist: parts go from 1"):
        Part(*numbers)


def test_the_papers_study_has_its_domains_sizes_and_profiles():
    study = paper_study()
    by_label = dict(asked(study))
    assert by_label["ring"] == by_label["lake 4"] == ("published", "paper", "tailsafe")
    assert by_label["ring (text)"] == by_label["garnet 2"] == ("paper", "tailsafe")
    assert by_label["chain (prior)"] == ("tailsafe",)
    published = narrowed(study, ["ring", "chain"], ["published"])
    assert len(published.units()) == 2 * 7 * 100
    assert published.grids[0].sizes == (8, 16, 24, 32, 40, 48, 56)
    lakes = narrowed(study, ["lake"], ["published"])
    assert len(lakes.units()) == 4 * 5 * 8


def test_the_papers_parameters_are_those_of_each_domain():
    grids = {grid.label: grid for grid in paper_study().grids}
    small, lake = (Published(), Text()), (Published(10, 0.25), Text(n_models=10))
    for k in (1, 2, 3, 4):
        assert grids[f"lake {k}"].profiles[:2] == lake
        assert grids[f"lake {k}"].source == Source("random_lake_published", (("seed", k),))
    for name in ("ring", "chain"):
        assert grids[name].profiles[:2] == small
        assert grids[name].source == Source(f"{name}_published")
        assert grids[f"{name} (text)"].source == Source(name)
        assert grids[f"{name} (prior)"].source == FromPrior(Source(f"{name}_published"))
    for k, shape in ((1, (12, 3, 3)), (2, (20, 4, 3))):
        names = ("n_states", "n_actions", "n_successors", "seed")
        assert grids[f"garnet {k}"].source.arguments == tuple(zip(names, (*shape, k), strict=True))
    assert {grid.steps for label, grid in grids.items() if "lake" in label} == {15}


def test_every_domain_of_the_papers_study_can_be_made():
    for grid in paper_study().grids:
        domain = grid.source.domain(3)
        assert domain.task.n_states in (5, 12, 20, 64)
