// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationErrorCode;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.X509CertChainValidator;
import java.lang.reflect.Proxy;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A good chain is looked at once in a while, a bad one and one that has expired each time. */
class RememberingValidatorTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final X509Certificate[] CHAIN = PKI.issue("CN=server,O=Grid").chain();

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final Clock clock = ((InstantSource) now::get).withZone(ZoneOffset.UTC);
    private boolean isGood = true;
    private int looks;

    private final RememberingValidator validator =
            new RememberingValidator(looking(), new RememberedChains<>(Duration.ofMinutes(1), clock));

    private X509CertChainValidator looking() {
        return (X509CertChainValidator) Proxy.newProxyInstance(
                X509CertChainValidator.class.getClassLoader(),
                new Class<?>[] {X509CertChainValidator.class},
                (proxy, method, arguments) -> {
                    looks++;
                    return isGood
                            ? new ValidationResult(true)
                            : new ValidationResult(
                                    false,
                                    List.of(new ValidationError(CHAIN, 0, ValidationErrorCode.unknownMsg, "bad")),
                                    Set.of(),
                                    List.of());
                });
    }

    @Test
    void aGoodChainIsNotLookedAtAgainForAWhile() {
        assertTrue(validator.validate(CHAIN).isValid());
        now.updateAndGet(time -> time.plusSeconds(59));
        assertTrue(validator.validate(CHAIN).isValid());
        assertEquals(1, looks);

        now.updateAndGet(time -> time.plusSeconds(1));
        isGood = false;
        assertFalse(validator.validate(CHAIN).isValid());
    }

    @Test
    void aBadChainIsLookedAtEachTime() {
        isGood = false;
        assertFalse(validator.validate(CHAIN).isValid());
        isGood = true;
        assertTrue(validator.validate(CHAIN).isValid());
        assertEquals(2, looks);
    }

    @Test
    void anotherChainOfTheSameNameIsAnother() {
        validator.validate(CHAIN);
        validator.validate(PKI.issue("CN=server,O=Grid").chain());
        assertEquals(2, looks);
    }

    @Test
    void oneThatExpiresMeanwhileIsLookedAtAgain() {
        now.set(CHAIN[0].getNotAfter().toInstant().minusSeconds(10));
        validator.validate(CHAIN);
        now.updateAndGet(time -> time.plusSeconds(9));
        validator.validate(CHAIN);
        assertEquals(1, looks);
        now.updateAndGet(time -> time.plusSeconds(1));
        validator.validate(CHAIN);
        assertEquals(2, looks);
    }
}
