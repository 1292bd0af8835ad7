# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
# One batch system of docker/lab in a container. From the top of the checkout:
#   docker build -f docker/lab.Dockerfile --build-arg SYSTEM=htcondor -t jobgate-htcondor .      (or slurm, sge)
#   docker run --rm jobgate-slurm
FROM debian:bookworm-slim
ARG SYSTEM
RUN apt-get update && apt-get install -y --no-install-recommends perl procps && rm -rf /var/lib/apt/lists/*
COPY docker/lab /opt/jobgate-lab
RUN case "$SYSTEM" in htcondor|slurm|sge) ;; *) echo "--build-arg SYSTEM= one of htcondor, slurm, sge" >&2; exit 1 ;; esac; \
    ln -s "$SYSTEM" /opt/jobgate-lab/system && NAME="$SYSTEM" "/opt/jobgate-lab/$SYSTEM" install && \
    apt-get clean && rm -rf /var/lib/apt/lists/*
# what starts a job's program on the machine that runs it: the same path as on the gateway
COPY lrm-adapters/src/main/perl /opt/jobgate/perl
ENV SYSTEM=$SYSTEM
HEALTHCHECK --interval=2s --timeout=10s --retries=60 CMD test -e "/var/lib/jobgate-lab/$SYSTEM/run/ready"
STOPSIGNAL SIGTERM
CMD ["sh", "-c", "rm -f /var/lib/jobgate-lab/$SYSTEM/run/*; exec /opt/jobgate-lab/$SYSTEM stay"]
