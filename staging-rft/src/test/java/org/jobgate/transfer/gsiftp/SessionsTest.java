// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import eu.emi.security.authn.x509.X509CertChainValidator;
import eu.emi.security.authn.x509.impl.InMemoryKeystoreCertChainValidator;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jobgate.gridftp.GridFtpPool;
import org.jobgate.gridftp.GridFtpSettings;
import org.jobgate.gridftp.ServerAddress;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferCredential;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.TransferPassword;
import org.jobgate.transfer.protocol.TransferToken;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which credentials open no session. GsiftpProtocolIT opens sessions with proxies, at real servers. */
class SessionsTest {

    private static final Place PLACE = new Place(new ServerAddress("localhost", 1), "/data/file");

    private X509CertChainValidator nobodyTrusted;
    private Sessions sessions;

    @BeforeEach
    void prepare() throws Exception {
        KeyStore empty = KeyStore.getInstance("PKCS12");
        empty.load(null, null);
        nobodyTrusted = new InMemoryKeystoreCertChainValidator(empty);
        sessions = new Sessions(
                new GridFtpPool(GridFtpSettings.DEFAULTS, GridFtpPool.Limits.DEFAULTS, Clock.systemUTC()),
                nobodyTrusted);
    }

    @AfterEach
    void close() {
        sessions.close();
    }

    private static TransferContext context(@Nullable TransferCredential credential) {
        Progress nobody = new Progress() {
            @Override
            public void moved(long bytes) {}

            @Override
            public boolean isMarkDue() {
                return false;
            }

            @Override
            public void mark(String marker) {}
        };
        return new TransferContext("id", "alice", credential, Map.of(), false, Duration.ofSeconds(1), null, nobody);
    }

    private void assertRefused(@Nullable TransferCredential credential, String why, String remedy) {
        TransferException e = catchThrowableOfType(
                TransferException.class,
                () -> sessions.work(PLACE, context(credential), session -> {
                    throw new AssertionError("a session was opened");
                }));
        assertThat(e.kind()).isEqualTo(Kind.PERMANENT);
        assertThat(e.sentence()).isEqualTo(why);
        assertThat(e.remedy()).contains(remedy).doesNotContain("secret");
    }

    @Test
    void whatIsNoProxyIsRefusedBeforeAnyServerIsAsked() {
        assertRefused(null, "gsiftp needs a delegated credential, and the job names none", "Delegate one");
        assertRefused(
                new TransferPassword("id", "alice", "secret"),
                "gsiftp needs a delegated proxy, and the job has a password for the file",
                "https or sftp");
        assertRefused(
                new TransferToken("id", "secret", Instant.MAX),
                "gsiftp needs a delegated proxy, and the job names a token",
                "use https");
    }
}
