//! The messages of harness/backends/process/worker.proto and the parts of onnx.ModelProto that a
//! worker needs, coded by hand: protobuf's wire format is small.

use std::io::{self, Read, Write};

const MAX_MESSAGE_BYTES: usize = 64 << 20;

/// One field of a message: its number and its value.
pub enum Field<'a> {
    Number(u32, u64),
    Bytes(u32, &'a [u8]),
}

/// Reads the fields of a message one after the other. Ends early if the bytes are cut off.
pub struct Fields<'a> {
    rest: &'a [u8],
}

pub fn fields(data: &[u8]) -> Fields<'_> {
    Fields { rest: data }
}

fn take_varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, tail) = rest.split_first()?;
        *rest = tail;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        loop {
            let tag = take_varint(&mut self.rest)?;
            let number = u32::try_from(tag >> 3).ok()?;
            let size = match tag & 7 {
                0 => return Some(Field::Number(number, take_varint(&mut self.rest)?)),
                1 => 8, // skipped: no field of ours has 8 bytes
                2 => usize::try_from(take_varint(&mut self.rest)?).ok()?,
                5 => 4,
                _ => return None,
            };
            if size > self.rest.len() {
                return None;
            }
            let (data, tail) = self.rest.split_at(size);
            self.rest = tail;
            if tag & 7 == 2 {
                return Some(Field::Bytes(number, data));
            }
        }
    }
}

/// Returns the numbers of a repeated field, packed or not.
fn add_numbers(field: &Field, to: &mut Vec<i64>) {
    match field {
        Field::Number(_, value) => to.push(*value as i64),
        Field::Bytes(_, mut data) => {
            while let Some(value) = take_varint(&mut data) {
                to.push(value as i64);
            }
        }
    }
}

/// A tensor with its elements as in ONNX's raw_data.
pub struct Tensor {
    pub data_type: i32,
    pub dims: Vec<i64>,
    pub data: Vec<u8>,
}

fn read_tensor(bytes: &[u8]) -> Tensor {
    let mut tensor = Tensor {
        data_type: 0,
        dims: Vec::new(),
        data: Vec::new(),
    };
    for field in fields(bytes) {
        match field {
            Field::Number(1, value) => tensor.data_type = value as i32,
            Field::Number(2, _) | Field::Bytes(2, _) => add_numbers(&field, &mut tensor.dims),
            Field::Bytes(3, data) => tensor.data = data.to_vec(),
            _ => {}
        }
    }
    tensor
}

pub enum Body {
    Hello,
    Prepare(Vec<u8>),
    Run(u64, Vec<Tensor>),
    Release(u64),
    Unknown,
}

pub struct Request {
    pub seq: u64,
    pub body: Body,
}

fn handle_of(bytes: &[u8]) -> u64 {
    fields(bytes)
        .find_map(|field| match field {
            Field::Number(1, value) => Some(value),
            _ => None,
        })
        .unwrap_or(0)
}

fn read_body(number: u32, data: &[u8]) -> Body {
    match number {
        2 => Body::Hello,
        3 => Body::Prepare(
            fields(data)
                .find_map(|field| match field {
                    Field::Bytes(1, model) => Some(model.to_vec()),
                    _ => None,
                })
                .unwrap_or_default(),
        ),
        4 => Body::Run(
            handle_of(data),
            fields(data)
                .filter_map(|field| match field {
                    Field::Bytes(2, tensor) => Some(read_tensor(tensor)),
                    _ => None,
                })
                .collect(),
        ),
        5 => Body::Release(handle_of(data)),
        _ => Body::Unknown,
    }
}

/// Returns the next request, or None if the harness has closed the pipe.
pub fn read_request(input: &mut impl Read) -> io::Result<Option<Request>> {
    let mut head = [0u8; 4];
    if let Err(error) = input.read_exact(&mut head) {
        return if error.kind() == io::ErrorKind::UnexpectedEof {
            Ok(None)
        } else {
            Err(error)
        };
    }
    let size = u32::from_le_bytes(head) as usize;
    if size > MAX_MESSAGE_BYTES {
        let text = format!("message: expected at most {MAX_MESSAGE_BYTES} bytes, got {size}");
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    let mut data = vec![0u8; size];
    input.read_exact(&mut data)?;
    let mut request = Request {
        seq: 0,
        body: Body::Unknown,
    };
    for field in fields(&data) {
        match field {
            Field::Number(1, seq) => request.seq = seq,
            Field::Bytes(number, body) => request.body = read_body(number, body),
            Field::Number(..) => {}
        }
    }
    Ok(Some(request))
}

fn put_varint(mut value: u64, out: &mut Vec<u8>) {
    while value > 0x7f {
        out.push(value as u8 & 0x7f | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_number(number: u32, value: u64, out: &mut Vec<u8>) {
    put_varint(u64::from(number) << 3, out);
    put_varint(value, out);
}

fn put_bytes(number: u32, data: &[u8], out: &mut Vec<u8>) {
    put_varint(u64::from(number) << 3 | 2, out);
    put_varint(data.len() as u64, out);
    out.extend_from_slice(data);
}

pub enum Reply {
    Hello {
        name: &'static str,
        version: &'static str,
        details: Vec<(&'static str, String)>,
    },
    Prepared(u64),
    Outputs(Vec<Tensor>),
    Unsupported(String),
    Refused(String),
    Error(String),
}

/// Returns a body whose first field is a text. A report keeps 4096 bytes of it.
fn text_body(text: &str) -> Vec<u8> {
    let short: String = text.chars().take(1000).collect();
    let mut out = Vec::new();
    put_bytes(1, short.as_bytes(), &mut out);
    out
}

fn encode(reply: &Reply) -> (u32, Vec<u8>) {
    let mut out = Vec::new();
    match reply {
        Reply::Hello {
            name,
            version,
            details,
        } => {
            put_number(1, 1, &mut out);
            put_bytes(2, name.as_bytes(), &mut out);
            put_bytes(3, version.as_bytes(), &mut out);
            put_bytes(5, b"CPU", &mut out);
            for (key, value) in details {
                let mut entry = Vec::new();
                put_bytes(1, key.as_bytes(), &mut entry);
                put_bytes(2, value.as_bytes(), &mut entry);
                put_bytes(7, &entry, &mut out);
            }
            (2, out)
        }
        Reply::Prepared(handle) => {
            put_number(1, *handle, &mut out);
            (3, out)
        }
        Reply::Outputs(tensors) => {
            for tensor in tensors {
                let mut body = Vec::new();
                put_number(1, tensor.data_type as u64, &mut body);
                let mut dims = Vec::new();
                tensor
                    .dims
                    .iter()
                    .for_each(|&dim| put_varint(dim as u64, &mut dims));
                put_bytes(2, &dims, &mut body);
                put_bytes(3, &tensor.data, &mut body);
                put_bytes(1, &body, &mut out);
            }
            (4, out)
        }
        Reply::Unsupported(text) => (5, text_body(text)),
        Reply::Refused(text) => (6, text_body(text)),
        Reply::Error(text) => (7, text_body(text)),
    }
}

pub fn write_reply(output: &mut impl Write, seq: u64, reply: &Reply) -> io::Result<()> {
    let (number, body) = encode(reply);
    let mut data = Vec::new();
    put_number(1, seq, &mut data);
    put_bytes(number, &body, &mut data);
    output.write_all(&(data.len() as u32).to_le_bytes())?;
    output.write_all(&data)?;
    output.flush()
}

/// The edge of a model: what is fed and what comes out, with TensorProto's data types.
pub struct Edge {
    pub inputs: Vec<(String, i32)>,
    pub outputs: Vec<(String, i32)>,
}

/// Returns the first field `number` that has bytes, or none.
fn part(data: &[u8], number: u32) -> Option<&[u8]> {
    fields(data).find_map(|field| match field {
        Field::Bytes(found, bytes) if found == number => Some(bytes),
        _ => None,
    })
}

fn text(data: Option<&[u8]>) -> String {
    String::from_utf8_lossy(data.unwrap_or_default()).into_owned()
}

/// Returns name and element type of a ValueInfoProto.
fn value(data: &[u8]) -> (String, i32) {
    let tensor_type = part(data, 2)
        .and_then(|of_type| part(of_type, 1))
        .unwrap_or_default();
    let data_type = fields(tensor_type)
        .find_map(|field| match field {
            Field::Number(1, number) => Some(number as i32),
            _ => None,
        })
        .unwrap_or(0);
    (text(part(data, 1)), data_type)
}

/// Reads a serialized ModelProto. Returns None if it has no graph.
pub fn read_edge(model: &[u8]) -> Option<Edge> {
    let graph = part(model, 7)?;
    let mut constants = Vec::new();
    let mut edge = Edge {
        inputs: Vec::new(),
        outputs: Vec::new(),
    };
    for field in fields(graph) {
        match field {
            Field::Bytes(5, tensor) => constants.push(text(part(tensor, 8))),
            Field::Bytes(11, input) => edge.inputs.push(value(input)),
            Field::Bytes(12, output) => edge.outputs.push(value(output)),
            _ => {}
        }
    }
    edge.inputs.retain(|(name, _)| !constants.contains(name));
    Some(edge)
}
