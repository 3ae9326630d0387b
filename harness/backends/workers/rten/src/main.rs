//! A worker of qconform that asks rten. The messages are in protocol.rs.

mod protocol;

use protocol::{Body, Edge, Reply, Tensor};
use rten::{Model, ModelOptions, NodeId, Value, ValueOrView};
use std::collections::HashMap;
use std::io;
use std::panic::{catch_unwind, AssertUnwindSafe};

// Numbers of TensorProto.DataType.
const FLOAT: i32 = 1;
const UINT8: i32 = 2;
const INT8: i32 = 3;
const INT32: i32 = 6;

struct Prepared {
    model: Model,
    inputs: Vec<NodeId>,
    outputs: Vec<NodeId>,
}

/// Words of errors that say that there is no kernel. The last ones are a kernel that takes another
/// data type than that of an operand.
const NO_KERNEL: [&str; 5] = [
    "unsupported",
    "not supported",
    "not implemented",
    "unknown operator",
    "expected tensor with type",
];

fn says_no_kernel(error: &str) -> bool {
    let lower = error.to_lowercase();
    NO_KERNEL.iter().any(|words| lower.contains(words))
}

/// rten has one kind of error for a model that it does not read and one that is invalid: its words
/// decide.
fn declined(error: &str) -> Reply {
    if says_no_kernel(error) {
        Reply::Unsupported(error.to_string())
    } else {
        Reply::Refused(error.to_string())
    }
}

/// Returns the words of an error with those of its causes.
fn words(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let more = next.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = next.source();
    }
    text
}

fn prepare(bytes: &[u8]) -> Result<Prepared, Reply> {
    let edge: Edge = protocol::read_edge(bytes)
        .ok_or_else(|| Reply::Refused("model: expected a ModelProto with a graph".to_string()))?;
    for (name, data_type) in edge.inputs.iter().chain(&edge.outputs) {
        if ![FLOAT, UINT8, INT8, INT32].contains(data_type) {
            return Err(Reply::Unsupported(format!(
                "{name}: rten has only tensors of FLOAT, INT32, INT8 and UINT8"
            )));
        }
    }
    let model = ModelOptions::with_all_ops()
        .load(bytes.to_vec())
        .map_err(|e| declined(&words(&e)))?;
    let ids = |values: &[(String, i32)]| -> Result<Vec<NodeId>, Reply> {
        values
            .iter()
            .map(|(name, _)| model.node_id(name).map_err(|e| declined(&words(&e))))
            .collect()
    };
    let (inputs, outputs) = (ids(&edge.inputs)?, ids(&edge.outputs)?);
    Ok(Prepared {
        model,
        inputs,
        outputs,
    })
}

fn to_value(tensor: &Tensor) -> Result<Value, String> {
    let shape: Vec<usize> = tensor.dims.iter().map(|&dim| dim as usize).collect();
    let words = || {
        tensor
            .data
            .chunks_exact(4)
            .map(|b| [b[0], b[1], b[2], b[3]])
    };
    let made = match tensor.data_type {
        FLOAT => Value::from_shape(shape, words().map(f32::from_le_bytes).collect::<Vec<_>>())
            .map_err(|e| e.to_string()),
        INT32 => Value::from_shape(shape, words().map(i32::from_le_bytes).collect::<Vec<_>>())
            .map_err(|e| e.to_string()),
        INT8 => Value::from_shape(
            shape,
            tensor.data.iter().map(|&b| b as i8).collect::<Vec<_>>(),
        )
        .map_err(|e| e.to_string()),
        _ => Value::from_shape(shape, tensor.data.clone()).map_err(|e| e.to_string()),
    };
    made.map_err(|error| format!("input: {error}"))
}

fn from_value(value: &Value) -> Result<Tensor, String> {
    use rten_tensor::prelude::*;
    let dims = |shape: &[usize]| shape.iter().map(|&size| size as i64).collect();
    Ok(match value {
        Value::FloatTensor(t) => Tensor {
            data_type: FLOAT,
            dims: dims(t.shape()),
            data: t.iter().flat_map(|v| v.to_le_bytes()).collect(),
        },
        Value::Int32Tensor(t) => Tensor {
            data_type: INT32,
            dims: dims(t.shape()),
            data: t.iter().flat_map(|v| v.to_le_bytes()).collect(),
        },
        Value::Int8Tensor(t) => Tensor {
            data_type: INT8,
            dims: dims(t.shape()),
            data: t.iter().map(|&v| v as u8).collect(),
        },
        Value::UInt8Tensor(t) => Tensor {
            data_type: UINT8,
            dims: dims(t.shape()),
            data: t.iter().copied().collect(),
        },
        _ => return Err("output: expected a tensor, got a sequence".to_string()),
    })
}

fn run(prepared: &Prepared, tensors: &[Tensor]) -> Result<Vec<Tensor>, String> {
    let values: Vec<Value> = tensors.iter().map(to_value).collect::<Result<_, _>>()?;
    let fed: Vec<(NodeId, ValueOrView)> = prepared
        .inputs
        .iter()
        .copied()
        .zip(values.into_iter().map(ValueOrView::from))
        .collect();
    let results = prepared
        .model
        .run(fed, &prepared.outputs, None)
        .map_err(|e| words(&e))?;
    results.iter().map(from_value).collect()
}

/// A kernel that does not take a type says so only when it runs; what it holds to be invalid, too.
fn failed(text: String) -> Reply {
    if says_no_kernel(&text) {
        Reply::Unsupported(text)
    } else if text.contains("invalid value") {
        Reply::Refused(text)
    } else {
        Reply::Error(text)
    }
}

/// Calls rten, whose panics become texts.
fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, Reply> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Reply::Error(format!("rten panicked: {text}"))
    })
}

fn main() -> io::Result<()> {
    std::env::set_var("RTEN_NUM_THREADS", "1");
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut models: HashMap<u64, Prepared> = HashMap::new();
    let mut last = 0;
    while let Some(request) = protocol::read_request(&mut input)? {
        let reply = match request.body {
            Body::Hello => Reply::Hello {
                name: "rten",
                version: "0.27.0",
                details: vec![("operators", "ModelOptions::with_all_ops".to_string())],
            },
            Body::Prepare(bytes) => match guarded(|| prepare(&bytes)).and_then(|made| made) {
                Ok(prepared) => {
                    last += 1;
                    models.insert(last, prepared);
                    Reply::Prepared(last)
                }
                Err(reply) => reply,
            },
            Body::Run(handle, tensors) => match models.get(&handle) {
                None => Reply::Error(format!("no model has the handle {handle}")),
                Some(prepared) => match guarded(|| run(prepared, &tensors)) {
                    Ok(Ok(outputs)) => Reply::Outputs(outputs),
                    Ok(Err(text)) => failed(text),
                    Err(reply) => reply,
                },
            },
            Body::Release(handle) => {
                models.remove(&handle);
                continue;
            }
            Body::Unknown => Reply::Error("unknown request".to_string()),
        };
        protocol::write_reply(&mut output, request.seq, &reply)?;
    }
    Ok(())
}
