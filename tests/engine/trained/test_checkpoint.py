"""Checkpoints: what is in the file arrives bit for bit, and no file, however broken, gets further than a ValueError."""

import errno
import io
import json
import os
import shutil
import struct
from pathlib import Path

import numpy as np
import pytest
from checkpoints import FIXTURES, change_config, change_tensors, file_bytes, packed, tensors_of
from hypothesis import given
from hypothesis import strategies as st

from engine.trained.loading import load
from engine.trained.safetensors import MAX_HEADER_BYTES, TensorFile


@pytest.fixture
def folder(tmp_path):
    """A copy of the Qwen2 fixture (tied, biases, float16) that a test may break."""
    return Path(shutil.copytree(FIXTURES / "qwen2", tmp_path / "model"))


# What arrives


def test_each_dtype_arrives_bit_for_bit(tmp_path):
    values = np.array([[1.5, -2.25, 65504.0, 6e-8], [0.0, -0.0, 3.0, 1e-3]], np.float32)
    bfloat = (values.view(np.uint32) >> 16).astype(np.uint16)
    for n, stored in enumerate((values, values.astype(np.float16), bfloat)):
        path = tmp_path / f"{n}.safetensors"
        path.write_bytes(packed({"odd": np.arange(n + 1, dtype=np.int64), "w": stored}, pad=n))
        file = TensorFile(path)
        out = np.empty((2, 4), np.float32)
        file.copy_to("w", out)
        expected = (stored.astype(np.uint32) << 16).view(np.float32) if stored.dtype == np.uint16 else stored.astype(np.float32)
        np.testing.assert_array_equal(out, expected)
        turned = np.empty((4, 2), np.float32)
        file.copy_to("w", turned, transposed=True)
        np.testing.assert_array_equal(turned, expected.T)
        with pytest.raises(ValueError, match="odd: expected dtype F32, F16, BF16, got I64"):
            file.view("odd")


def test_float32_matrices_stay_in_the_mapped_file():
    """One copy of a 500 MB model is enough: what needs no rearranging is a view, and nobody can write to it."""
    file = FIXTURES / "gpt2" / "model.safetensors"
    model = load(file.parent)
    held = [model.params.embedding, model.params.positions, model.params.norm.gain, model.params.blocks[0].qkv.b]
    for array in held:
        base = array
        while isinstance(base, np.ndarray):
            base = base.base
        assert isinstance(base, memoryview)
        assert not array.flags.writeable
    assert model.params.head.w is model.params.embedding
    matrix = model.params.blocks[0].qkv.w
    assert matrix.flags.c_contiguous
    assert not matrix.flags.writeable


@pytest.mark.parametrize("pad", range(4))
def test_floats_at_odd_addresses_are_moved(pad, tmp_path):
    """A header of odd length is allowed; a matrix product would copy an unaligned matrix at every call."""
    folder = Path(shutil.copytree(FIXTURES / "gpt2", tmp_path / "model"))
    (folder / "model.safetensors").write_bytes(packed(tensors_of(folder), pad))
    model = load(folder)
    assert model.params.embedding.flags.aligned
    expected = load(FIXTURES / "gpt2").forward([1, 2, 3]).logits
    np.testing.assert_allclose(model.forward([1, 2, 3]).logits, expected, rtol=0, atol=1e-5)


def test_a_prefix_more_or_less_and_old_buffers_change_nothing(tmp_path):
    """GPT-2's original file has no "transformer." in front of its names and holds the masks of its time."""
    folder = Path(shutil.copytree(FIXTURES / "gpt2", tmp_path / "model"))
    old = {name.removeprefix("transformer."): array for name, array in tensors_of(folder).items()}
    assert "wte.weight" in old
    old["h.0.attn.bias"] = np.ones((1, 1, 96, 96), np.float32)
    old["h.1.attn.masked_bias"] = np.array(-1e4, np.float32)
    (folder / "model.safetensors").write_bytes(packed(old))
    np.testing.assert_array_equal(load(folder).forward([5, 6]).logits, load(FIXTURES / "gpt2").forward([5, 6]).logits)


def test_progress_rises_to_one():
    seen = []
    load(FIXTURES / "llama_mha", progress=seen.append)
    assert seen == sorted(seen)
    assert len(seen) > 20
    assert seen[-1] == 1


def test_no_tokenizer_file_means_none():
    assert load(FIXTURES / "qwen2").tokenizer is None


# A configuration that disagrees with the weights


def test_a_missing_tensor_is_named_with_its_shape(folder):
    change_tensors(folder, **{"model.layers.1.self_attn.q_proj.bias": None})
    with pytest.raises(ValueError, match=r"^layers\.1\.self_attn\.q_proj\.bias: expected shape \(48,\), got no such tensor"):
        load(folder)


def test_a_wrong_shape_is_named_with_both(folder):
    change_tensors(folder, **{"model.layers.0.mlp.up_proj.weight": np.zeros((48, 112), np.float16)})
    with pytest.raises(
        ValueError, match=r"layers\.0\.mlp\.up_proj\.weight: expected shape \(112, 48\) by config\.json, got \(48, 112\)"
    ):
        load(folder)


def test_a_wrong_dtype_is_named(folder):
    change_tensors(folder, **{"model.norm.weight": np.zeros(48, np.int64)})
    with pytest.raises(ValueError, match=r"norm\.weight: expected dtype F32, F16, BF16, got I64"):
        load(folder)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"num_hidden_layers": 3, "layer_types": None},
            r"layers\.2\.input_layernorm\.weight: expected shape \(48,\), got no such tensor",
        ),
        (
            {"num_hidden_layers": 1, "layer_types": None},
            r"layers\.1\.\S+: expected no such tensor by config\.json, got one of shape \(",
        ),
        ({"num_key_value_heads": 4}, r"k_proj\.weight: expected shape \(48, 48\) by config\.json, got \(24, 48\)"),
        ({"vocab_size": 97}, r"embed_tokens\.weight: expected shape \(97, 48\) by config\.json, got \(96, 48\)"),
        ({"model_type": "llama"}, r"layers\.0\.self_attn\.k_proj\.bias: expected no such tensor by config"),
        ({"model_type": "qwen3", "head_dim": 12}, r"q_norm\.weight: expected shape \(12,\), got no such tensor"),
        ({"tie_word_embeddings": False}, r"lm_head\.weight: expected shape \(96, 48\), got no such tensor"),
        ({"num_hidden_layers": 10**15}, "num_hidden_layers: expected a whole number from 1 to 2,000"),
    ],
)
def test_a_configuration_that_disagrees_with_the_weights_is_refused(folder, changes, message):
    change_config(folder, **changes)
    with pytest.raises(ValueError, match=message):
        load(folder)


def test_a_tied_head_in_the_file_has_to_be_the_embedding(folder):
    embedding = tensors_of(folder)["model.embed_tokens.weight"]
    change_tensors(folder, **{"lm_head.weight": embedding})
    np.testing.assert_array_equal(load(folder).forward([5, 6]).logits, load(FIXTURES / "qwen2").forward([5, 6]).logits)
    change_tensors(folder, **{"lm_head.weight": embedding + np.float16(1)})
    with pytest.raises(ValueError, match=r"lm_head\.weight: tied by config\.json: expected the values of embed_tokens\.weight"):
        load(folder)
    change_tensors(folder, **{"lm_head.weight": embedding[:5]})
    with pytest.raises(ValueError, match=r"expected F16 \(96, 48\), got F16 \(5, 48\)"):
        load(folder)


def test_a_tensor_that_comes_twice_is_refused(folder):
    change_tensors(folder, **{"norm.weight": np.ones(48, np.float16)})
    with pytest.raises(ValueError, match=r"norm\.weight: expected once"):
        load(folder)


# Folders


def test_what_a_folder_lacks_is_said(folder, tmp_path):
    for name in (tmp_path / "nowhere", "meta-llama/Llama-3.1-8B"):
        with pytest.raises(FileNotFoundError, match=r"^(nowhere|meta-llama/Llama-3.1-8B): expected a folder.*nothing is fetched"):
            load(name)
    with pytest.raises(FileNotFoundError, match=r"expected config\.json, got no such file"):
        load(tmp_path)
    (folder / "model.safetensors").unlink()
    with pytest.raises(FileNotFoundError, match=r"expected model\.safetensors or model\.safetensors\.index\.json"):
        load(folder)


@pytest.mark.parametrize("lost", ["shard", "config.json", "model.safetensors"])
def test_no_message_names_the_folder_on_the_machine(folder, monkeypatch, lost):
    """A shard that the index lists and that is not there was reported with its whole path, on a page that anybody may open."""
    if lost == "shard":
        (folder / "model.safetensors").unlink()
        (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"norm.weight": "a-1.safetensors"}}))
    else:
        opened = io.open

        def refused(file, *args, **kwargs):
            if str(file).endswith(lost):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))
            return opened(file, *args, **kwargs)

        monkeypatch.setattr(io, "open", refused)  # who runs the tests as root may read everything
    with pytest.raises(OSError, match=r"^(a-1|config|model)\.\w+: expected a file") as told:
        load(folder)
    assert str(folder.parent) not in str(told.value) and (told.value.__suppress_context__ or told.value.__context__ is None)


@pytest.mark.parametrize(
    "name", ["../other/model.safetensors", "/etc/passwd.safetensors", "a\\b.safetensors", "model.bin", "..", "a\0.safetensors"]
)
def test_an_index_cannot_point_out_of_its_folder(folder, name):
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"norm.weight": name}}))
    with pytest.raises(ValueError, match=r"expected the name of a \.safetensors file in the same folder"):
        load(folder)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.uint16])
def test_numbers_that_are_none_are_refused_by_the_tensors_name(dtype, value, tmp_path):
    sound = np.array([[1.5, -65504.0], [0.0, 6e-8]], np.float32)
    broken = sound.copy()
    broken[1, 1] = value
    stored = [a if dtype == np.float32 else a.astype(np.float16) for a in (sound, broken)]
    if dtype == np.uint16:  # bfloat16: the upper half
        stored = [(a.view(np.uint32) >> 16).astype(np.uint16) for a in (sound, broken)]
    path = tmp_path / "x.safetensors"
    path.write_bytes(packed({"sound": stored[0], "broken": stored[1]}))
    file = TensorFile(path)
    file.check_finite("sound")
    with pytest.raises(ValueError, match=r"broken: expected finite numbers, got others in x\.safetensors"):
        file.check_finite("broken")


def test_a_pipe_is_not_waited_for_and_a_missing_shard_names_no_path(folder, tmp_path):
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"a": "part.safetensors"}}))
    for got in ("none", "something else"):
        with pytest.raises(FileNotFoundError, match=f"part.safetensors: expected a file, got {got}") as error:
            load(folder)
        assert str(tmp_path) not in str(error.value)
        if got == "none":
            os.mkfifo(folder / "part.safetensors")


@pytest.mark.parametrize("index", [{}, {"weight_map": []}, {"weight_map": {"a": 1}}, {"weight_map": {"a": None}}])
def test_a_broken_index_is_refused(folder, index):
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(ValueError, match="weight_map: expected tensor names and file names"):
        load(folder)


@pytest.mark.parametrize("text", ["", "[]", "nonsense", "[" * 100_000, '{"a": 1, "a": 2}', "\xff", "9" * 10_000])
def test_a_broken_config_is_refused(folder, text):
    (folder / "config.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=r"config\.json: expected"):
        load(folder)


# Hostile files

ENTRY = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected at least 8 bytes, got 0"),
        (b"1234567", "expected at least 8 bytes, got 7"),
        (struct.pack("<Q", 1 << 63) + b"{}", "header length: expected at most 2 bytes"),
        (struct.pack("<Q", 3) + b"{}", "header length: expected at most 2 bytes, got 3"),
        (file_bytes(b"[]"), "expected a JSON object, got list"),
        (file_bytes(b"[" * 50_000), "header: expected JSON"),
        (file_bytes(b'{"a": 1}'), "a: expected dtype, shape and data_offsets"),
        (file_bytes(b'{"__metadata__": 3}'), "__metadata__: expected an object"),
        (file_bytes(json.dumps({"a": ENTRY}).encode()[:-1] + b', "a": 1}'), "the name 'a' twice"),
        (file_bytes(json.dumps({"a": ENTRY}).encode()), r"a: data_offsets: expected start ≤ end ≤ 0, got \[0, 8\]"),
        (file_bytes(json.dumps({"a": ENTRY}).encode(), b"0" * 12), "expected the tensors to end with the file"),
        (file_bytes(json.dumps({"a": ENTRY | {"dtype": "F31"}}).encode(), b"0" * 8), "a: dtype: expected one of"),
        (file_bytes(json.dumps({"a": ENTRY | {"dtype": ["F32"]}}).encode(), b"0" * 8), "a: dtype: expected one of"),
        (file_bytes(json.dumps({"a": ENTRY | {"shape": [3]}}).encode(), b"0" * 8), r"a: expected 12 bytes for shape \(3,\)"),
        (file_bytes(json.dumps({"a": ENTRY | {"shape": [-2, -1]}}).encode(), b"0" * 8), "a: shape: expected at most 8 whole"),
        (file_bytes(json.dumps({"a": ENTRY | {"shape": [True, 2]}}).encode(), b"0" * 8), "a: shape"),
        (
            file_bytes(json.dumps({"a": ENTRY | {"shape": [1 << 62, 1 << 62]}}).encode(), b"0" * 8),
            "a: expected .* bytes for shape",
        ),
        (file_bytes(json.dumps({"a": ENTRY | {"data_offsets": [8, 0]}}).encode(), b"0" * 8), "a: data_offsets: expected start"),
        (file_bytes(json.dumps({"a": ENTRY | {"data_offsets": [0, 8, 9]}}).encode(), b"0" * 8), "a: data_offsets: expected two"),
        (file_bytes(json.dumps({"a": ENTRY | {"data_offsets": [-8, 0]}}).encode(), b"0" * 8), "a: data_offsets: expected two"),
        (
            file_bytes(json.dumps({"a": ENTRY, "b": ENTRY | {"data_offsets": [4, 12]}}).encode(), b"0" * 12),
            "b: expected to start at byte .*, behind a, got .*: it overlaps it",
        ),
        (
            file_bytes(json.dumps({"a": ENTRY, "b": ENTRY | {"data_offsets": [12, 20]}}).encode(), b"0" * 20),
            "b: expected to start at byte .*, behind a, got .*: it leaves a gap behind it",
        ),
    ],
)
def test_a_hostile_file_is_refused_with_a_reason(content, message, tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        TensorFile(path)


def test_half_a_character_in_a_header_is_refused(tmp_path):
    """Its name would be part of every message about that tensor, and no page could show the message."""
    (tmp_path / "x.safetensors").write_bytes(
        file_bytes(rb'{"\ud800": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}', bytes(4))
    )
    with pytest.raises(ValueError, match=r"expected JSON, got .*surrogates not allowed") as refused:
        TensorFile(tmp_path / "x.safetensors")
    assert str(refused.value).encode("utf-8")


def test_a_header_longer_than_any_model_needs_is_refused_unread(tmp_path):
    """A sparse file of 50 MB whose header claims all of it: the length alone is enough to say no."""
    path = tmp_path / "model.safetensors"
    with path.open("wb") as file:
        file.write(struct.pack("<Q", MAX_HEADER_BYTES + 1))
        file.truncate(50_000_000)
    with pytest.raises(ValueError, match=f"header length: expected at most {MAX_HEADER_BYTES} bytes"):
        TensorFile(path)


NUMBERS = st.integers(-2, 40) | st.integers(-(1 << 70), 1 << 70)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=6,
)
ENTRIES = st.fixed_dictionaries(
    {
        "dtype": st.sampled_from(["F32", "F16", "BF16", "I64", "F8_E4M3"]) | JSON,
        "shape": st.lists(NUMBERS, max_size=3) | JSON,
        "data_offsets": st.lists(NUMBERS, min_size=2, max_size=2) | JSON,
    }
)
HEADERS = st.dictionaries(st.text(max_size=6) | st.just("__metadata__"), ENTRIES | JSON, max_size=3)


@given(header=HEADERS, data=st.binary(max_size=40))
def test_any_header_is_read_or_refused(header, data, tmp_path_factory):
    """Whatever the header says: a ValueError, or tensors that lie inside the file and read as they are described."""
    path = tmp_path_factory.mktemp("fuzz") / "x.safetensors"
    path.write_bytes(file_bytes(json.dumps(header).encode(), data))
    check_file(path)


@given(data=st.data())
def test_any_flipped_bytes_are_read_or_refused(data, tmp_path_factory):
    """A sound file with a few bytes changed, or its end cut off."""
    sound = packed({"a": np.arange(4, dtype=np.float32), "b": np.arange(6, dtype=np.float16).reshape(2, 3)})
    content = bytearray(sound[: data.draw(st.integers(0, len(sound)) | st.just(len(sound)))])
    for place, byte in data.draw(st.lists(st.tuples(st.integers(0, len(sound) - 1), st.integers(0, 255)), max_size=4)):
        if place < len(content):
            content[place] = byte
    path = tmp_path_factory.mktemp("fuzz") / "x.safetensors"
    path.write_bytes(bytes(content))
    check_file(path)


def check_file(path: Path) -> None:
    """Open it: a ValueError is an answer, and so are tensors that can be read; anything else is a defect."""
    try:
        file = TensorFile(path)
    except ValueError as error:
        assert len(str(error)) < 600
        return
    total = 0
    for name, entry in file.entries.items():
        total += entry.end - entry.start
        assert 0 < entry.start <= entry.end <= path.stat().st_size
        if entry.dtype in ("F32", "F16", "BF16"):
            assert file.view(name).shape == entry.shape
    assert total < path.stat().st_size
