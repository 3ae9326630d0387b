"""The messages of worker.proto, coded by hand with only the standard library.

A message is a dict from field names to values; a request has the attributes seq,
kind and body. The wire format of protobuf is small, and a hand-written codec for
these few messages works with every version of the protobuf package, and without it.
"""

from __future__ import annotations

import io
import os
import struct
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO, Protocol

Message = dict[str, Any]
# Field number: (name, kind, repeated). A kind is "uint", "int", "bytes", "text", "float",
# "bool", "map" (text to text), or the schema of a message.
Schema = dict[int, tuple[str, Any, bool]]

MAX_MESSAGE_BYTES = 64 << 20
MAX_TEXT = 4000  # characters; a report keeps 4096 bytes

_RANGE: Schema = {1: ("offset", "uint", False), 2: ("size", "uint", False)}
_TENSOR: Schema = {
    1: ("data_type", "int", False),
    2: ("dims", "int", True),
    3: ("data", "bytes", False),
    4: ("shared", _RANGE, False),
}
_REQUEST: Schema = {
    1: ("seq", "uint", False),
    2: (
        "hello",
        {
            1: ("protocol_version", "uint", False),
            2: ("harness", "text", False),
            3: ("max_message_bytes", "uint", False),
            4: ("shared_memory_path", "text", False),
            5: ("shared_memory_size", "uint", False),
        },
        False,
    ),
    3: ("prepare", {1: ("model", "bytes", False)}, False),
    4: (
        "run",
        {
            1: ("handle", "uint", False),
            2: ("inputs", _TENSOR, True),
            3: ("output_room", _RANGE, False),
        },
        False,
    ),
    5: ("release", {1: ("handle", "uint", False)}, False),
}
_REASON: Schema = {1: ("reason", "text", False), 2: ("url", "text", False)}
_REPLY: Schema = {
    1: ("seq", "uint", False),
    2: (
        "hello",
        {
            1: ("protocol_version", "uint", False),
            2: ("name", "text", False),
            3: ("version", "text", False),
            4: ("vendor", "text", False),
            5: ("device", "text", False),
            6: ("homepage", "text", False),
            7: ("details", "map", True),
            8: ("shared_memory", "bool", False),
            9: (
                "supports",
                {
                    1: ("op_type", "text", False),
                    2: ("first_opset_version", "int", False),
                    3: ("last_opset_version", "int", False),
                },
                True,
            ),
            10: ("max_elements", "uint", False),
        },
        False,
    ),
    3: ("prepared", {1: ("handle", "uint", False)}, False),
    4: ("outputs", {1: ("tensors", _TENSOR, True)}, False),
    5: ("unsupported", _REASON, False),
    6: ("refused", _REASON, False),
    7: ("error", {1: ("text", "text", False), 2: ("kind", "uint", False)}, False),
}


class ProtocolError(Exception):
    """The bytes are not a message of the protocol."""


def _read_varint(data: bytes | memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ProtocolError("a number is cut off")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _of_kind(kind: Any, value: int) -> int | bool:
    if kind == "int":
        return _signed(value)
    if kind == "bool":
        return bool(value)
    return value


def _default(kind: Any) -> Any:
    if isinstance(kind, dict):
        return None
    return {"bytes": b"", "text": "", "bool": False, "float": 0.0}.get(kind, 0)


def decode(schema: Schema, data: bytes | memoryview) -> Message:
    """Returns the message in `data` (bytes or a memoryview) as a dict. Missing fields
    have their default; missing sub-messages are None."""
    message: Message = {
        name: [] if repeated else _default(kind) for name, kind, repeated in schema.values()
    }
    at = 0
    while at < len(data):
        value: Any
        tag, at = _read_varint(data, at)
        wire_type = tag & 7
        if wire_type == 0:
            value, at = _read_varint(data, at)
        elif wire_type in (1, 5):
            size = 8 if wire_type == 1 else 4
            value, at = bytes(data[at : at + size]), at + size
        elif wire_type == 2:
            size, at = _read_varint(data, at)
            if at + size > len(data):
                raise ProtocolError("a field is cut off")
            value, at = data[at : at + size], at + size
        else:
            raise ProtocolError("a field has the wire type %d" % wire_type)
        if tag >> 3 not in schema:
            continue  # of a later version
        name, kind, repeated = schema[tag >> 3]
        if kind in ("uint", "int", "bool"):
            if wire_type == 2 and repeated:  # packed
                inner = 0
                while inner < len(value):
                    number, inner = _read_varint(value, inner)
                    message[name].append(_of_kind(kind, number))
                continue
            if wire_type != 0:
                raise ProtocolError("field %s: expected a number" % name)
            value = _of_kind(kind, value)
        elif kind == "float" and wire_type == 5:
            value = struct.unpack("<f", value)[0]
        elif wire_type != 2:
            raise ProtocolError("field %s has the wire type %d" % (name, wire_type))
        elif isinstance(kind, dict):
            value = decode(kind, value)
        elif kind == "bytes":
            value = bytes(value)
        elif kind == "float" and repeated:  # packed
            message[name] += struct.unpack("<%df" % (len(value) // 4), value)
            continue
        else:
            value = bytes(value).decode("utf-8", "replace")
        if repeated:
            message[name].append(value)
        else:
            message[name] = value
    return message


def _length_delimited(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _utf8(text: object) -> bytes:
    """The message of an exception may contain bytes that are not text (surrogates)."""
    return str(text).encode("utf-8", "backslashreplace")


def encode(schema: Schema, message: Message) -> bytes:
    """The inverse of decode. Fields that `message` does not have are left out."""
    out = []
    unknown = set(message) - {name for name, _, _ in schema.values()}
    if unknown:
        raise ProtocolError("there is no field %s" % ", ".join(sorted(unknown)))
    for number, (name, kind, repeated) in sorted(schema.items()):
        value = message.get(name)
        if value is None or (repeated and not value):
            continue
        if kind == "map":
            for key, text in value.items():
                entry = _length_delimited(1, _utf8(key)) + _length_delimited(2, _utf8(text))
                out.append(_length_delimited(number, entry))
        elif kind in ("uint", "int", "bool"):
            if repeated:
                packed = b"".join(_varint(int(v)) for v in value)
                out.append(_length_delimited(number, packed))
            elif value:
                out.append(_varint(number << 3) + _varint(int(value)))
        else:
            for item in value if repeated else [value]:
                if isinstance(kind, dict):
                    data = encode(kind, item)
                else:
                    data = item if kind == "bytes" else _utf8(item)
                out.append(_length_delimited(number, data))
    return b"".join(out)


class RawWriter(Protocol):
    """A file without a buffer: write() returns how many bytes it took."""

    def write(self, data: memoryview, /) -> int | None: ...


class Request:
    """A request of the harness. kind is hello, prepare, run, release, or None for a
    request of a later version."""

    def __init__(self, message: Message) -> None:
        self.seq: int = message["seq"]
        self.kind: str | None = None
        self.body: Message = {}
        for kind in ("hello", "prepare", "run", "release"):
            if message[kind] is not None:
                self.kind, self.body = kind, message[kind]


def take_standard_files() -> tuple[BinaryIO, io.FileIO]:
    """Moves the protocol away from stdin and stdout, so that print and libraries can
    use them, and returns its two files (to read from, to write to). From then on
    printed text goes to stderr."""
    sys.stdout.flush()
    requests = os.fdopen(os.dup(0), "rb", buffering=1 << 16)
    replies = io.FileIO(os.dup(1), "w")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return requests, replies


def read_requests(requests: BinaryIO) -> Iterator[Request]:
    """Yields the requests until the harness closes the pipe."""
    while True:
        head = requests.read(4)
        if len(head) < 4:
            return
        size = struct.unpack("<I", head)[0]
        if size > MAX_MESSAGE_BYTES:
            raise ProtocolError(
                "message: expected at most %d bytes, got %d" % (MAX_MESSAGE_BYTES, size)
            )
        data = requests.read(size)
        if len(data) < size:
            return
        yield Request(decode(_REQUEST, memoryview(data)))


def _shortened(body: Message) -> Message:
    """Returns the body with texts that are not too long for a report: some libraries put
    the whole model into a message."""
    short = dict(body)
    for kind in ("unsupported", "refused", "error"):
        for name, value in body.get(kind, {}).items():
            if isinstance(value, str) and len(value) > MAX_TEXT:
                text = "%s... (%d characters)" % (value[:MAX_TEXT], len(value))
                short[kind] = dict(short[kind], **{name: text})
    return short


def write_reply(replies: RawWriter, seq: int, body: Message) -> None:
    """Writes one reply. `body` is a dict with the name of one body and its fields."""
    data = encode(_REPLY, dict(_shortened(body), seq=seq))
    if len(data) > MAX_MESSAGE_BYTES:
        text = "reply: expected at most %d bytes, got %d" % (MAX_MESSAGE_BYTES, len(data))
        data = encode(_REPLY, {"seq": seq, "error": {"text": text}})
    view = memoryview(struct.pack("<I", len(data)) + data)
    while view:
        view = view[replies.write(view) or 0 :]
