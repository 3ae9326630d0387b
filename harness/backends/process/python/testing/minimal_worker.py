"""The worker of docs/adding_a_backend.md as a complete program: QuantizeLinear of FLOAT to
UINT8 with one scale, without any package. It prints, as libraries do."""

import struct
import sys

from qconform_worker import protocol


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Yields the fields of a protobuf message as (number, value)."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 5:
            value, at = data[at : at + 4], at + 4
        else:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        yield tag >> 3, value


def tensors_of(model):
    """Returns op_type, and the constants by name, of a ModelProto with one node."""
    graph = next(value for number, value in fields(model) if number == 7)
    op_type, constants = "", {}
    for number, value in fields(graph):
        if number == 1:
            op_type = next(v for n, v in fields(value) if n == 4).decode()
        if number == 5:
            tensor = dict(fields(value))
            constants[tensor[8].decode()] = tensor[9]
    return op_type, constants


def run(constants, inputs):
    data = [tensor["data"] for tensor in inputs]
    scale = struct.unpack("<f", constants.get("y_scale") or data[1])[0]
    zero_point = (constants.get("y_zero_point") or data[2])[0]
    x = struct.unpack("<%df" % (len(data[0]) // 4), data[0])
    y = bytes(min(255, max(0, round(v / scale) + zero_point)) for v in x)
    return {"outputs": {"tensors": [{"data_type": 2, "dims": inputs[0]["dims"], "data": y}]}}


def main():
    requests, replies = protocol.take_standard_files()
    print("a banner that must not reach the protocol")
    prepared = {}
    for request in protocol.read_requests(requests):
        body = request.body
        if request.kind == "hello":
            reply = {"hello": {"protocol_version": 1, "name": "minimal", "version": "1"}}
        elif request.kind == "prepare":
            try:
                op_type, constants = tensors_of(body["model"])
            except (IndexError, StopIteration):
                reply = {"refused": {"reason": "no model"}}
            else:
                if op_type == "QuantizeLinear":
                    prepared[request.seq] = constants
                    reply = {"prepared": {"handle": request.seq}}
                else:
                    reply = {"unsupported": {"reason": "no " + op_type}}
        elif request.kind == "release":
            prepared.pop(body["handle"], None)
            continue
        elif request.kind == "run" and body["handle"] in prepared:
            reply = run(prepared[body["handle"]], body["inputs"])
        else:
            reply = {"error": {"text": "nothing of that kind"}}
        print("answering", request.seq)
        protocol.write_reply(replies, request.seq, reply)


sys.exit(main())
