// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import java.math.BigInteger;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGeneratorSpi;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.interfaces.XECKey;
import java.security.interfaces.XECPrivateKey;
import java.security.interfaces.XECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.util.Optional;
import javax.crypto.KeyAgreementSpi;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.math.ec.rfc7748.X25519;
import org.bouncycastle.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * X25519 (RFC 7748), the key agreement of almost every handshake of TLS 1.3, computed by Bouncy Castle. The native library has none, and the
 * JDK's, written for the second-level compiler, takes twice as long under the first, the only one that the service has. Bouncy Castle's own provider
 * computes each public key twice, hence the services here; what they do not take (X448, keys of others) is left to the JDK's.
 */
final class Curve25519 extends Provider {

    private static final long serialVersionUID = 1;

    private static final String NAME = NamedParameterSpec.X25519.getName();

    Curve25519() {
        super("JobgateCurve25519", "2", "X25519 by Bouncy Castle");
        // JSSE asks for the family's name, not for the curve's
        serve("KeyPairGenerator", Pairs.class);
        serve("KeyAgreement", Agreement.class);
    }

    private void serve(String type, Class<?> spi) {
        putService(new Service(this, type, "XDH", spi.getName(), null, null));
    }

    private static boolean isOfThisCurve(@Nullable AlgorithmParameterSpec curve) {
        return curve instanceof NamedParameterSpec named && named.getName().equalsIgnoreCase(NAME);
    }

    /** Makes key pairs. */
    public static final class Pairs extends KeyPairGeneratorSpi {

        private @Nullable SecureRandom random;

        /** Called by the JDK. */
        public Pairs() {}

        @Override
        public void initialize(int bits, SecureRandom given) {
            if (bits != 255) {
                throw new java.security.InvalidParameterException("X25519 has 255 bits, not " + bits);
            }
            random = given;
        }

        @Override
        public void initialize(AlgorithmParameterSpec curve, SecureRandom given)
                throws InvalidAlgorithmParameterException {
            if (!isOfThisCurve(curve)) {
                throw new InvalidAlgorithmParameterException("only X25519 is made here");
            }
            random = given;
        }

        @Override
        public KeyPair generateKeyPair() {
            byte[] scalar = new byte[X25519.SCALAR_SIZE];
            X25519.generatePrivateKey(random == null ? new SecureRandom() : random, scalar);
            byte[] u = new byte[X25519.POINT_SIZE];
            X25519.generatePublicKey(scalar, 0, u, 0);
            return new KeyPair(new Public(new BigInteger(1, Arrays.reverse(u))), new Private(scalar));
        }
    }

    /** Agrees on a secret with the owner of another key; takes the private keys of {@link Pairs} only. */
    public static final class Agreement extends KeyAgreementSpi {

        private byte @Nullable [] scalar;
        private byte @Nullable [] secret;

        /** Called by the JDK. */
        public Agreement() {}

        @Override
        protected void engineInit(Key key, SecureRandom random) throws InvalidKeyException {
            if (!(key instanceof Private ours)) {
                throw new InvalidKeyException("only private keys that were made here are taken");
            }
            scalar = ours.scalar;
            secret = null;
        }

        @Override
        protected void engineInit(Key key, @Nullable AlgorithmParameterSpec parameters, SecureRandom random)
                throws InvalidKeyException, InvalidAlgorithmParameterException {
            if (parameters != null) {
                throw new InvalidAlgorithmParameterException("X25519 has no parameters");
            }
            engineInit(key, random);
        }

        @Override
        protected @Nullable Key engineDoPhase(Key key, boolean isLast) throws InvalidKeyException {
            if (scalar == null || !isLast) {
                throw new IllegalStateException(scalar == null ? "there is no private key" : "there is one phase only");
            }
            if (!(key instanceof XECPublicKey theirs) || !isOfThisCurve(theirs.getParams())) {
                throw new InvalidKeyException("not a public key of X25519");
            }
            byte[] agreed = new byte[X25519.POINT_SIZE];
            // RFC 8446, 7.4.2: a secret of zeros alone, which a point of small order gives, ends the handshake
            if (!X25519.calculateAgreement(scalar, 0, littleEndian(theirs.getU()), 0, agreed, 0)) {
                throw new InvalidKeyException("the public key has a small order");
            }
            secret = agreed;
            return null;
        }

        private static byte[] littleEndian(BigInteger u) throws InvalidKeyException {
            byte[] big = u.toByteArray();
            if (u.signum() < 0 || big.length > X25519.POINT_SIZE) {
                throw new InvalidKeyException("a public key of X25519 has 255 bits at the most");
            }
            byte[] little = new byte[X25519.POINT_SIZE];
            for (int i = 0; i < big.length; i++) {
                little[i] = big[big.length - 1 - i];
            }
            return little;
        }

        @Override
        protected byte[] engineGenerateSecret() {
            byte[] agreed = secret;
            if (agreed == null) {
                throw new IllegalStateException("there is no secret yet");
            }
            secret = null;
            return agreed;
        }

        @Override
        protected int engineGenerateSecret(byte[] into, int offset) throws ShortBufferException {
            if (into.length - offset < X25519.POINT_SIZE) {
                throw new ShortBufferException("a secret of X25519 has " + X25519.POINT_SIZE + " bytes");
            }
            System.arraycopy(engineGenerateSecret(), 0, into, offset, X25519.POINT_SIZE);
            return X25519.POINT_SIZE;
        }

        @Override
        protected SecretKey engineGenerateSecret(String algorithm) {
            return new SecretKeySpec(engineGenerateSecret(), algorithm);
        }
    }

    /** Of these two keys JSSE asks nothing but the point and the curve: they have no encoding, and are never stored. */
    private abstract static class HandshakeKey implements Key, XECKey {

        private static final long serialVersionUID = 1;

        @Override
        public String getAlgorithm() {
            return "XDH";
        }

        @Override
        public @Nullable String getFormat() {
            return null;
        }

        @Override
        public byte @Nullable [] getEncoded() {
            return null;
        }

        @Override
        public AlgorithmParameterSpec getParams() {
            return NamedParameterSpec.X25519;
        }
    }

    private static final class Public extends HandshakeKey implements XECPublicKey {

        private static final long serialVersionUID = 1;

        private final BigInteger u;

        Public(BigInteger u) {
            this.u = u;
        }

        @Override
        public BigInteger getU() {
            return u;
        }
    }

    private static final class Private extends HandshakeKey implements XECPrivateKey {

        private static final long serialVersionUID = 1;

        private final transient byte[] scalar;

        Private(byte[] scalar) {
            this.scalar = scalar;
        }

        @Override
        public Optional<byte[]> getScalar() {
            return Optional.of(scalar.clone());
        }
    }
}
