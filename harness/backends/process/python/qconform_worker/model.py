"""The parts of onnx.ModelProto that a backend of functions needs, read without onnx."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qconform_worker import arrays, protocol
from qconform_worker.protocol import Schema

# Field numbers of onnx.proto; the fields that are left out are skipped.
_TENSOR: Schema = {
    1: ("dims", "int", True),
    2: ("data_type", "int", False),
    8: ("name", "text", False),
    9: ("raw_data", "bytes", False),
}
_ATTRIBUTE: Schema = {
    1: ("name", "text", False),
    2: ("f", "float", False),
    3: ("i", "int", False),
    4: ("s", "text", False),
    5: ("t", _TENSOR, False),
    7: ("floats", "float", True),
    8: ("ints", "int", True),
    9: ("strings", "text", True),
    20: ("type", "int", False),
}
_VALUE: Schema = {
    1: ("name", "text", False),
    2: ("type", {1: ("tensor_type", {1: ("elem_type", "int", False)}, False)}, False),
}
_MODEL: Schema = {
    7: (
        "graph",
        {
            1: (
                "node",
                {
                    1: ("input", "text", True),
                    2: ("output", "text", True),
                    4: ("op_type", "text", False),
                    5: ("attribute", _ATTRIBUTE, True),
                    7: ("domain", "text", False),
                },
                True,
            ),
            5: ("initializer", _TENSOR, True),
            11: ("input", _VALUE, True),
            12: ("output", _VALUE, True),
        },
        False,
    ),
    8: (
        "opset_import",
        {1: ("domain", "text", False), 2: ("version", "int", False)},
        True,
    ),
}
# Attributes by AttributeProto.AttributeType: the field that holds the value.
_FIELD_OF_TYPE = {1: "f", 2: "i", 3: "s", 4: "t", 6: "floats", 7: "ints", 8: "strings"}


@dataclass
class Node:
    """One node. Absent operands have the name ""."""

    op_type: str
    inputs: list[str]
    outputs: list[str]
    attributes: dict[str, Any]


@dataclass
class Model:
    """A model. Data types are numbers of TensorProto.DataType."""

    opset_version: int
    nodes: list[Node]
    constants: dict[str, arrays.Array]
    inputs: list[str]  # that are fed, in order
    outputs: list[tuple[str, int]]  # name and data type


def _array(tensor: protocol.Message) -> arrays.Array:
    return arrays.to_array(tensor["data_type"], tensor["dims"], tensor["raw_data"])


def _value(attribute: protocol.Message) -> Any:
    kind = attribute["type"]
    if kind not in _FIELD_OF_TYPE:
        raise NotImplementedError("attribute %s: expected no graph" % attribute["name"])
    value = attribute[_FIELD_OF_TYPE[kind]]
    return _array(value) if kind == 4 else value


def read(data: bytes) -> Model:
    """Raises ProtocolError if the bytes are not a model, and NotImplementedError if it has a
    data type that this machine lacks."""
    message = protocol.decode(_MODEL, data)
    graph = message["graph"]
    if graph is None or not graph["node"]:
        raise protocol.ProtocolError("model: expected a graph with nodes, got none")
    constants = {tensor["name"]: _array(tensor) for tensor in graph["initializer"]}
    outputs = []
    for value in graph["output"]:
        tensor_type = (value["type"] or {}).get("tensor_type") or {}
        outputs.append((value["name"], tensor_type.get("elem_type", 0)))
    return Model(
        opset_version=next((o["version"] for o in message["opset_import"] if not o["domain"]), 0),
        nodes=[
            Node(
                op_type=node["op_type"],
                inputs=node["input"],
                outputs=node["output"],
                attributes={a["name"]: _value(a) for a in node["attribute"]},
            )
            for node in graph["node"]
        ],
        constants=constants,
        inputs=[v["name"] for v in graph["input"] if v["name"] not in constants],
        outputs=outputs,
    )
