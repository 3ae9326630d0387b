"""QuantizeLinear in numpy by one scale: rounds halves up, which is wrong."""

import numpy as np
import qconform


@qconform.backend("QuantizeLinear")
def quantize(x, y_scale, y_zero_point, *, dtype):
    if y_scale.ndim != 0 or dtype not in ("uint8", "int8"):
        raise qconform.Unsupported("only one scale, and integers of 8 bits")
    limits = np.iinfo(dtype)
    with np.errstate(all="ignore"):
        y = np.floor(x.astype(np.float32) / y_scale + np.float32(0.5)) + y_zero_point
        return np.clip(y, limits.min, limits.max).astype(dtype)
