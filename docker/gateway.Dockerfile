# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
# The gateway and its commands. Built from what Maven has built before:
#   mvn -q -DskipTests package && docker build -f docker/gateway.Dockerfile -t jobgate .
#   docker run -v /etc/jobgate:/etc/jobgate -p 8443:8443 jobgate            (configuration: /etc/jobgate/jobgate.yaml)
FROM debian:trixie-slim
RUN apt-get update && apt-get install -y --no-install-recommends openjdk-21-jre-headless perl sudo && rm -rf /var/lib/apt/lists/*
# the accounts of docker/lab, with the same numbers, for the files that both see; a site adds its own or mounts its account database
RUN useradd --system --user-group --create-home --home-dir /var/lib/jobgate --shell /bin/sh jobgate && chmod 700 /var/lib/jobgate && \
    for name in jobgate-a jobgate-b jobgate-c; do \
        useradd --user-group --no-create-home --home-dir "/var/lib/jobgate-lab/home/$name" --shell /bin/bash "$name" || exit 1; done
COPY service/container/target/jobgate/lib /opt/jobgate/lib/server
COPY clients/cli/target/jobgate-cli/lib /opt/jobgate/lib/cli
COPY bin /opt/jobgate/bin
COPY lrm-adapters/src/main/perl /opt/jobgate/perl
COPY docker/gateway-start /opt/jobgate/gateway-start
# the service may start its worker as these accounts, and nothing else
RUN printf '%s\n' 'jobgate ALL=(jobgate-a,jobgate-b,jobgate-c) NOPASSWD: /usr/bin/perl /opt/jobgate/perl/jobgate-worker [0-9a-f]*' \
        > /etc/sudoers.d/jobgate && chmod 440 /etc/sudoers.d/jobgate && visudo -cf /etc/sudoers.d/jobgate && \
    install -d -o jobgate -g jobgate -m 700 /var/lib/jobgate/state && install -d -o jobgate -g jobgate -m 755 /etc/jobgate
ENV PATH=/opt/jobgate/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin JOBGATE_CONFIG=/etc/jobgate/jobgate.yaml
USER jobgate
WORKDIR /var/lib/jobgate
EXPOSE 8443
HEALTHCHECK --interval=2s --timeout=10s --retries=60 CMD ["jobgate", "status"]
ENTRYPOINT ["/opt/jobgate/gateway-start"]
