"""The bare slider that every lesson is compared with: Streamlit's own cost of one move."""

import streamlit as st

value = st.slider("bare", -20.0, 100.0, 10.0, 0.5, key="value_0")
st.write(f"value {value:g}")
