"""Words and sources: every term has its sentence and its lesson, every step is found by its name, no query breaks it."""

import re

import pytest
from app_pages import LESSONS, alone, application, figures, of_visit, ran, says, selected, show, text
from valid_figures import valid

from pages.app import course
from pages.lessons.glossary.figures.word_places import COLUMNS, source_places, word_places
from pages.lessons.glossary.found import search
from pages.lessons.glossary.reading import PLACES
from pages.lessons.glossary.sources import SOURCES
from pages.lessons.glossary.steps import place_of
from pages.parts.drawing.sheet import Sheet
from pages.parts.lesson.small_machine import LEADS
from pages.parts.lesson.terms import GROUPS, SHOWN_IN, TERMS
from pages.parts.text.format import join
from pages.parts.visit.display import Screen


def test_every_term_is_listed_and_shown_by_a_lesson_that_exists():
    listed = [term for group in GROUPS.values() for term in group]
    assert len(listed) == len(set(listed)) and set(listed) <= set(TERMS)
    assert set(SHOWN_IN) <= set(TERMS) and set(SHOWN_IN.values()) <= set(LESSONS)
    assert set(listed) == set(SHOWN_IN)
    assert all(source.lesson in LESSONS for topic in SOURCES.values() for source in topic)


def test_every_source_has_an_address_of_its_own_and_a_reason():
    sources = [source for topic in SOURCES.values() for source in topic]
    assert len({source.address for source in sources}) == len(sources) > 15
    assert all(re.fullmatch(r"https://[\w./-]+", source.address) and source.read_for.endswith(".") for source in sources)


@pytest.mark.parametrize("term", TERMS)
def test_a_term_is_the_first_hit_for_its_own_name(term):
    assert search(term, course.LESSONS)[0].name.casefold().startswith(term.casefold())


def test_a_step_is_found_by_its_name():
    at = application()
    at.query_params.update({"values": "1,2,3,4", "slide": "1"})
    at.run()
    selected(at)["find"] = "one cell"
    at.switch_page("pages/glossary.py").run()
    assert says(text(at), "step 3")
    assert next(b for b in at.button if b.key == "hit_0").label == "Scores, mask, softmax"


@pytest.mark.parametrize("asked", ["<script>", "***", "x" * 60, "  ", "(", "٣", "[a](http://x)"])
def test_whatever_is_typed_is_a_sentence_and_no_markup(asked):
    at = show(alone("glossary"), {"find": asked})
    assert not at.exception
    assert not search(asked, course.LESSONS) or asked.strip() in ("(",)
    assert "<script>" not in text(at) and "](http" not in text(at).split("Vaswani")[0]


def test_a_word_of_the_map_is_explained_and_an_earlier_link_opens_at_its_subject():
    at = show(alone("glossary"), {"steps": "", "slide": "1"})
    assert {word for pills in at.pills for word in pills.options} >= {"KV cache", "tile", "MBU"}  # of all subjects, at once
    next(pills for pills in at.pills if "MBU" in pills.options).set_value("MBU").run()
    assert TERMS["MBU"] in text(at) and TERMS["token"] not in text(at)
    assert TERMS["head"] in text(show(alone("glossary"), {"words_on": "Attention"}))
    assert TERMS["KV cache"] in text(show(alone("glossary"), {"term": "<b>", "words_on": "x"}))


def test_all_sources_stand_on_one_page_with_their_subjects():
    said = text(show(alone("glossary"), {"steps": "", "slide": "2"}))
    assert all(source.address in said and source.read_for in said for topic in SOURCES.values() for source in topic)
    assert all(topic in said for topic in SOURCES)


def test_every_word_and_every_subject_of_sources_has_its_place_in_the_machine():
    """They were lists with nothing to look at."""
    assert set(PLACES) == set(SOURCES) and all(set(columns) <= set(LEADS) for columns in PLACES.values())
    assert all(set(place_of(term)) <= set(LEADS) for term in SHOWN_IN) and place_of("mask") == ("mask",)
    ((_, told),) = figures(show(alone("glossary"), {"steps": "", "slide": "1", "term": "score"}))
    assert says(told, "score: at scores")


def test_the_machine_has_the_chosen_word_at_its_parts_and_all_parts_named():
    """It was a list of words on an empty page, without a picture."""
    assert tuple(COLUMNS) == tuple(LEADS)
    for phone in (False, True):
        for terms in GROUPS.values():
            for chosen in terms:
                texts = valid(word_places(Sheet(phone=phone), place_of(chosen), chosen).to_plotly_json()).data[-1].text
                written = " ".join(texts)
                assert all(f"<b>{column}</b>" in written for column in place_of(chosen)), (chosen, written)
                others = [term for term in terms if term != chosen and f"{term.lower()}s" not in COLUMNS and term not in COLUMNS]
                # Every part is named, on a phone too.
                assert set(COLUMNS) <= set(re.sub("</?b>", "", "|".join(texts)).split("|")), texts
                assert not set(others) & set(re.sub("</?b>", "", "|".join(texts)).split("|")), texts  # they are said beneath it
    told = figures(show(alone("glossary"), {"steps": "", "slide": "1", "term": "KV cache"}))
    assert [says(alt, "KV cache: at key and value") for _, alt in told] == [True]


def test_sources_hang_from_the_parts_of_the_machine_that_they_are_about():
    """They were a page of links."""
    at = show(alone("glossary"), {"steps": "", "slide": "2"})
    assert not figures(at)  # a projector that reads and a phone have lists
    of_visit(at, Screen).spare = 180
    ((figure, alt),) = figures(ran(at))
    assert all(f"{topic} at {join(list(where))}" in alt for topic, where in PLACES.items() if where)
    assert all(source.address in text(at) and source.read_for in text(at) for topic in SOURCES.values() for source in topic)
    valid(source_places(Sheet(), [where for where in PLACES.values() if where]).to_plotly_json())
    assert {f"<b>{column}</b>" for column in LEADS} <= set(figure["data"][-1]["text"])


def test_a_slide_shows_of_each_subject_the_source_to_begin_with():
    """Three columns of references on a projector: nobody read them."""
    said = text(show(alone("glossary"), {"present": "on", "slide": "2"}))
    for first, *rest in SOURCES.values():
        assert first.address in said and first.read_for in said and not any(one.address in said for one in rest)
        assert f"{len(rest)} more on the page" in said
