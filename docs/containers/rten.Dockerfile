# A worker in Rust: a program that is compiled in one image and runs in a smaller one.
#   docker build -t qconform-rten -f docs/containers/rten.Dockerfile .
#   qconform run --backend "process:docker run -i --rm --init --network none qconform-rten" --level smoke
FROM rust:1.95.0-slim-bookworm AS build
COPY harness/backends/workers/rten /src
RUN cargo build --release --locked --manifest-path /src/Cargo.toml --target-dir /target

FROM debian:12.5-slim
COPY --from=build /target/release/worker /worker
ENTRYPOINT ["/worker"]
