"""The rotary settings of a config.json, old spelling or new: the base of the wavelengths, and how they are stretched.

Until transformers 5 a file has `rope_theta` and `rope_scaling`, since then one `rope_parameters`. Where both stand in a file,
transformers takes `rope_scaling`, and so it is done here: logits differ by as much as 1.2 between the two.
"""

from engine.config_json.fields import Fields, excerpt, whole_text


def rope_settings(file: Fields) -> dict:
    """All settings in one flat object: rope_theta (where stated), rope_type ("default" where not), and what belongs to the type.

    A file that states settings for each kind of layer gives those of the layers that see everything, with `by_layer` True.
    """
    name = "rope_scaling" if file.raw("rope_scaling") else "rope_parameters"
    stated = file.raw(name) or {}
    if not isinstance(stated, dict):
        raise ValueError(f"{name}: expected an object, got {excerpt(stated)}")
    inner = next((stated[kind] for kind in ("full_attention", *stated) if isinstance(stated.get(kind), dict)), None)
    settings = dict(stated if inner is None else inner)
    kind = settings.get("rope_type") or settings.get("type") or "default"
    if not isinstance(kind, str):
        raise ValueError(f"rope_type: expected a short text, got {excerpt(kind)}")
    for outside in ("rope_theta", "partial_rotary_factor"):
        if settings.get(outside) is None and file.raw(outside) is not None:
            settings[outside] = file.raw(outside)
    return settings | {"rope_type": whole_text("rope_type", kind), "by_layer": inner is not None}


def note_rope(file: Fields) -> None:
    """Says in the notes which positions a file describes: they change no byte."""
    settings = rope_settings(file)
    theta, factor = settings.get("rope_theta"), settings.get("factor")
    if theta is not None:
        file.understood.append(f"Rotary positions, base {file.number('rope_theta', theta):,.0f}.")
    if settings["rope_type"] != "default":
        by = f" by {file.number('rope factor', factor):g}" if factor is not None else ""
        file.understood.append(f"Positions are stretched{by} ({settings['rope_type'][:20]}).")
