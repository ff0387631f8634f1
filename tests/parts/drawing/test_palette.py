"""The colours, by computation: told apart by people of every colour vision and in grey where it matters, and legible as text.

A dichromat's view is computed with the matrices of G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A physiologically-based
model for simulation of color vision deficiency", IEEE TVCG 15 (2009), severity 1.0, on linear RGB. Differences are CIE76 in Lab
(D65), where 2.3 is just noticeable side by side.
"""

from itertools import combinations

import numpy as np
import pytest

from pages.parts.drawing.palette import DARK, LIGHT, contrast, luminance, rgb, shade, text_colors

VISION = {
    "all cones": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
GREY = np.full((3, 3), (0.2126, 0.7152, 0.0722))
TO_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
THEMES = pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
# What stands side by side somewhere and is told apart by colour.
TOGETHER = [
    ("prefill", "decode", "cached", "wasted", "hole", "surface"),  # rows and cells of the cache
    ("prefill", "decode", "key", "value", "wasted", "hole", "surface"),  # the same rows, kept as a key beside a value
    ("query", "key", "value", "surface"),
    ("accent", "bar", "surface"),  # the winner among the words
    ("accent", "query", "value", "key", "cached"),  # lines of several models, and of the toy
]


def lab(color, vision):
    linear = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ np.array(vision).T, 0, 1)
    relative = seen @ TO_XYZ.T / TO_XYZ.sum(axis=1)
    f = np.where(relative > 216 / 24389, np.cbrt(relative), (24389 / 27 * relative + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], axis=-1)


def apart(a, b, vision):
    return float(np.linalg.norm(lab(a, vision) - lab(b, vision)))


def test_the_ruler_agrees_with_published_values():
    """Lab of sRGB red and of mid grey; contrasts that WCAG quotes; a dichromat sees greys as they are."""
    np.testing.assert_allclose(lab(rgb("#FF0000"), np.eye(3)), [53.24, 80.09, 67.20], atol=0.05)
    np.testing.assert_allclose(lab(rgb("#777777"), np.eye(3)), [50.03, 0, 0], atol=0.05)
    white = rgb("#FFFFFF")
    assert [round(float(contrast(rgb(c), white)), 2) for c in ("#000000", "#777777", "#767676")] == [21, 4.48, 4.54]
    for vision in VISION.values():
        assert apart(rgb("#777777"), rgb("#777777") @ np.array(vision).T, np.eye(3)) < 0.5
    red, green = rgb("#D40000"), rgb("#5C7A00")
    assert apart(red, green, VISION["all cones"]) > 3 * apart(red, green, VISION["deuteranopia"])


@THEMES
@pytest.mark.parametrize("vision", VISION)
def test_neighbouring_meanings_look_different_to_everybody(colors, vision):
    for group in TOGETHER:
        for a, b in combinations(group, 2):
            least = 8 if {a, b} == {"hole", "surface"} else 10
            assert apart(rgb(getattr(colors, a)), rgb(getattr(colors, b)), VISION[vision]) > least, (a, b)


@THEMES
@pytest.mark.parametrize("vision", VISION)
def test_scores_have_two_sides_and_a_middle_and_no_colour_of_theirs_is_the_holes(colors, vision):
    low, middle, high = (rgb(colors.scores[i]) for i in (0, 2, 4))
    assert min(apart(a, b, VISION[vision]) for a, b in combinations((low, middle, high), 2)) > 30
    cells = shade(colors.scores, np.array([0.0, 0.25, 0.75, 1.0]))
    assert min(apart(rgb(colors.hole), cell, VISION[vision]) for cell in cells) > 20


@THEMES
@pytest.mark.parametrize("vision", [*VISION.values(), GREY], ids=[*VISION, "grey"])
def test_more_weight_is_further_from_the_surface_step_by_step(colors, vision):
    """Also in grey, as a photocopy or a tired projector shows it: ten steps of a tenth can be told apart."""
    seen = lab(shade(colors.weights, np.linspace(0, 1, 11)), vision)
    steps = np.diff(seen[:, 0]) * (1 if colors is DARK else -1)
    assert steps.min() > 4
    assert rgb(colors.weights[0]).tolist() == rgb(colors.surface).tolist()


@THEMES
def test_scores_of_either_sign_are_of_one_strength_in_grey(colors):
    """±8 is the same strength; which sign it is, the number in the cell says."""
    lightness = lab(np.array([rgb(c) for c in colors.scores]), GREY)[:, 0]
    assert abs(lightness[0] - lightness[-1]) < 8 and abs(lightness[1] - lightness[3]) < 8
    assert min(abs(lightness[2] - lightness[[0, 1, 3, 4]])) > 15


@THEMES
def test_everything_that_is_written_in_a_colour_is_legible(colors):
    for name in ("ink", "muted", "accent", "prefill", "decode", "query", "key", "value", "wasted"):
        assert contrast(rgb(getattr(colors, name)), rgb(colors.surface)) >= 4.5, name
    assert contrast(rgb(colors.muted), rgb(colors.hole)) >= 4.5  # −∞ in a hole


@THEMES
@pytest.mark.parametrize("scale", ["scores", "weights"])
def test_the_number_in_a_cell_is_legible_on_every_colour_of_a_scale(colors, scale):
    position = np.linspace(0, 1, 1001)
    cells, inks = shade(getattr(colors, scale), position), text_colors(getattr(colors, scale), position)
    # Scores have one ink, black in light and white in dark: it was black beside white, cell by cell, in one row.
    assert set(inks) == ({"#000000", "#FFFFFF"} if scale == "weights" else {"#000000" if colors is LIGHT else "#FFFFFF"})
    assert contrast(np.array([rgb(ink) for ink in inks]), cells).min() >= 4.5


def test_black_or_white_reads_on_any_colour_there_is():
    """The product of the two contrasts is always 21, so the better one is at least √21 = 4.58."""
    any_color = np.random.default_rng(0).random((5000, 3))
    black, white = contrast(np.zeros(3), any_color), contrast(np.ones(3), any_color)
    np.testing.assert_allclose(black * white, 21)
    assert np.maximum(black, white).min() >= 21**0.5 - 1e-9
    assert luminance(np.ones(3)) == pytest.approx(1)
