"""Arrays -> figures. Pure builders: they know nothing of Streamlit and serve notebooks and tests as well.

One file a figure. Each builder takes what the engine returned, `dark` and `zoom`, and returns a Plotly figure laid out on a
`canvas.Sheet` in the colours of `palette`.
"""
