// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import java.security.Provider;
import org.bouncycastle.jcajce.provider.asymmetric.edec.KeyAgreementSpi;
import org.bouncycastle.jcajce.provider.asymmetric.edec.KeyPairGeneratorSpi;

/**
 * X25519 (RFC 7748), the key agreement of almost every handshake of TLS 1.3, by Bouncy Castle. The native library has none, and the
 * JDK's, written for the second-level compiler, takes twice as long under the first, the only one that the service has: 0.35 ms instead
 * of 0.20 for a key pair and its agreement. Nothing but these two services is taken: for all else Bouncy Castle is the slower.
 */
final class Curve25519 extends Provider {

    private static final long serialVersionUID = 1;

    Curve25519() {
        super("JobgateCurve25519", "1", "X25519 by Bouncy Castle");
        // JSSE asks for the family's name, not for the curve's
        serve("KeyPairGenerator", KeyPairGeneratorSpi.XDH.class);
        serve("KeyAgreement", KeyAgreementSpi.XDH.class);
    }

    private void serve(String type, Class<?> spi) {
        putService(new Service(this, type, "XDH", spi.getName(), null, null));
    }
}
