"""Lesson 3. Scores, mask, softmax: what each head looks at, live."""

import streamlit as st

from engine import attention, causal_mask, prefill, softmax
from pages.parts import attention_view, scenario, widgets

widgets.title("Which earlier tokens does each head look at?")
widgets.value_sliders()
widgets.rule_selectors(attention_view.SHARES)

s = scenario.current()
run = prefill(s.model(), s.prompt_ids)

attention_view.attention_map(s, run)
attention_view.takeaway(s, run)
attention_view.derivation(s, run)
st.space("small")
widgets.source(softmax, causal_mask, attention, type(s.model()).forward)
