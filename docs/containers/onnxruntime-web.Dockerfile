# onnxruntime-web behind the worker in JavaScript, which has no dependencies.
#   docker build -t qconform-web -f docs/containers/onnxruntime-web.Dockerfile .
#   qconform run --backend "process:docker run -i --rm --init --network none qconform-web" --level smoke
FROM node:20.20.2-bookworm-slim
WORKDIR /opt/qconform
RUN npm install --ignore-scripts --no-audit --no-fund onnxruntime-web@1.30.0
COPY harness/backends/process/node /opt/qconform/worker
ENTRYPOINT ["node", "/opt/qconform/worker/worker.mjs", "--package", "/opt/qconform/node_modules"]
