"""QuantizeLinear by ml_dtypes' casts, for the Python worker: where y_scale is 1 and there is
no y_zero_point, y is x cast to y's type. script/test-ml-dtypes compares it with the oracle.

A cast has no `saturate`. To float 8 it gives NaN or an infinity for values beyond the
largest, as the attribute 0 does. To 4 and 6 bits it saturates, whatever the attribute is.
"""

import ml_dtypes
import numpy
import onnx

__version__ = ml_dtypes.__version__

_NUMPY_TYPES = {
    "FLOAT8E4M3FN": "float8_e4m3fn",
    "FLOAT8E4M3FNUZ": "float8_e4m3fnuz",
    "FLOAT8E5M2": "float8_e5m2",
    "FLOAT8E5M2FNUZ": "float8_e5m2fnuz",
    "FLOAT6E2M3": "float6_e2m3fn",
    "FLOAT6E3M2": "float6_e3m2fn",
    "FLOAT4E2M1": "float4_e2m1fn",
}


class _Prepared:
    def __init__(self, dtype):
        self.dtype = dtype

    def run(self, inputs):
        x, y_scale = inputs
        if float(y_scale) != 1:
            raise NotImplementedError("y_scale: expected 1, got %s" % y_scale)
        with numpy.errstate(all="ignore"):
            return [x.astype(self.dtype)]


class MlDtypes:
    @staticmethod
    def prepare(model):
        node = model.graph.node[0]
        attributes = {a.name: a.i for a in node.attribute}
        if len(model.graph.node) != 1 or node.op_type != "QuantizeLinear":
            raise NotImplementedError("expected one node, QuantizeLinear")
        if len(node.input) != 2:
            raise NotImplementedError("y_zero_point: expected none")
        if attributes.get("precision"):
            raise NotImplementedError("precision: expected none")
        name = onnx.TensorProto.DataType.Name(model.graph.output[0].type.tensor_type.elem_type)
        if name not in _NUMPY_TYPES:
            raise NotImplementedError(
                "y: ml_dtypes rounds to %s, got %s" % (", ".join(_NUMPY_TYPES), name)
            )
        if name.startswith("FLOAT8") and attributes.get("saturate", 1) != 0:
            raise NotImplementedError("saturate: expected 0, got 1")
        return _Prepared(numpy.dtype(getattr(ml_dtypes, _NUMPY_TYPES[name])))
