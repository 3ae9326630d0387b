# tract behind qconform's Python worker: a library that has a Python package.
#   docker build -t qconform-tract -f docs/containers/tract.Dockerfile .
#   qconform run --backend "process:docker run -i --rm --init --network none qconform-tract" --level smoke
FROM python:3.11.9-slim-bookworm
RUN pip install --no-cache-dir tract==0.23.9 onnx==1.23.2 numpy==2.4.6 ml_dtypes==0.6.0 protobuf==7.36.2
COPY harness/backends/process/python/qconform_worker /opt/qconform/python/qconform_worker
COPY harness/backends/workers /opt/qconform/workers
ENV PYTHONPATH=/opt/qconform/workers OMP_NUM_THREADS=1 RUST_BACKTRACE=0
ENTRYPOINT ["python3", "/opt/qconform/python/qconform_worker/__main__.py", "/opt/qconform/workers/tract/worker.py:Backend"]
