"""OpenVINO's execution provider of ONNX Runtime. What it leaves to ONNX Runtime's own kernels is
declined: the fallback to them is off."""

from __future__ import annotations

from typing import Any

import onnxruntime
import worker_tools

_TYPES = worker_tools.NUMPY_TYPES
_PROVIDER = "OpenVINOExecutionProvider"
# What it would leave to ONNX Runtime's own kernels, and opset_versions after its own.
_NO_KERNEL = ("fallback to cpu ep has been explicitly disabled", "only *guarantees* support")


class Backend:
    """`precision` is the provider's: ACCURACY computes in the types of the model."""

    def __init__(self, precision: str = "ACCURACY") -> None:
        self._options = {"device_type": "CPU", "precision": precision, "num_of_threads": "1"}
        onnxruntime.disable_telemetry_events()
        self.identity = worker_tools.identity("onnxruntime-openvino", precision=precision)

    def prepare(self, model: Any) -> worker_tools.Session:
        worker_tools.require_types(
            worker_tools.edge_types(model), _TYPES, "ONNX Runtime's Python interface"
        )
        options = onnxruntime.SessionOptions()
        options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
        options.log_severity_level = 4
        with worker_tools.errors(_NO_KERNEL):
            session = onnxruntime.InferenceSession(
                model.SerializeToString(), options, providers=[(_PROVIDER, self._options)]
            )
        return worker_tools.Session(session, model)
