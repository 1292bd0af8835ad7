# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
# PostgreSQL for compose.yaml, from Debian. The password is made at the first start, in a volume that the gateway reads.
FROM debian:bookworm-slim
RUN mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf && \
    apt-get update && apt-get install -y --no-install-recommends postgresql && rm -rf /var/lib/apt/lists/* && \
    install -d -o postgres -g postgres -m 700 /var/lib/postgresql/jobgate
COPY docker/postgres-start /usr/local/bin/postgres-start
HEALTHCHECK --interval=2s --timeout=10s --retries=60 CMD /usr/lib/postgresql/15/bin/pg_isready -q -h 127.0.0.1
STOPSIGNAL SIGINT
CMD ["postgres-start"]
