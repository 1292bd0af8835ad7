// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** Private keys from PEM: PKCS#8, PKCS#1 (RSA), SEC 1 (EC); plain, or locked with a passphrase as OpenSSL writes them. */
final class PrivateKeys {
    private static final byte[] RSA = {0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 0x01, 0x01, 0x01};
    private static final byte[] EC = {0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x02, 0x01};
    private static final byte[] VERSION_0 = Der.value(Der.INTEGER, new byte[] {0});
    private static final String DEK_INFO = "DEK-Info:";

    private PrivateKeys() {}

    static boolean isKey(Pem.Section section) {
        return section.type().endsWith("PRIVATE KEY");
    }

    /**
     * The key of one section.
     *
     * @param passphrase asked only where the key is locked
     * @throws GeneralSecurityException of an unknown kind, broken, or the wrong passphrase
     */
    static PrivateKey read(Pem.Section section, Supplier<char[]> passphrase) throws GeneralSecurityException {
        byte[] data = isLockedOldForm(section) ? unlock(section, passphrase.get()) : section.data();
        return switch (section.type()) {
            case "PRIVATE KEY" -> pkcs8(data);
            case "RSA PRIVATE KEY" -> pkcs8(wrap(Der.value(Der.OBJECT_IDENTIFIER, RSA), Der.value(Der.NULL), data));
            case "EC PRIVATE KEY" -> pkcs8(wrap(Der.value(Der.OBJECT_IDENTIFIER, EC), curveOf(data), data));
            case "ENCRYPTED PRIVATE KEY" -> unlockPkcs8(data, passphrase.get());
            default -> throw new GeneralSecurityException("a key of type " + section.type() + " is not known");
        };
    }

    private static PrivateKey pkcs8(byte[] encoded) throws GeneralSecurityException {
        Der.Reader key = new Der.Reader(encoded);
        key.next();
        Der.Reader parts = key.inside();
        parts.next();
        parts.next();
        Der.Reader algorithm = parts.inside();
        algorithm.next();
        String name = algorithmName(algorithm.content());
        return KeyFactory.getInstance(name).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    }

    private static String algorithmName(byte[] identifier) throws GeneralSecurityException {
        if (Arrays.equals(identifier, RSA)) {
            return "RSA";
        }
        if (Arrays.equals(identifier, EC)) {
            return "EC";
        }
        throw new GeneralSecurityException("neither an RSA nor an EC key");
    }

    private static byte[] wrap(byte[] algorithm, byte[] parameters, byte[] key) {
        return Der.value(
                Der.SEQUENCE,
                VERSION_0,
                Der.value(Der.SEQUENCE, algorithm, parameters),
                Der.value(Der.OCTET_STRING, key));
    }

    /** RFC 5915: the curve stands in the key itself, tagged 0. */
    private static byte[] curveOf(byte[] key) throws GeneralSecurityException {
        Der.Reader outer = new Der.Reader(key);
        outer.next();
        Der.Reader parts = outer.inside();
        while (parts.hasNext()) {
            if (parts.next() == Der.CONTEXT_0) {
                return parts.content();
            }
        }
        throw new GeneralSecurityException("an EC key that does not name its curve");
    }

    private static PrivateKey unlockPkcs8(byte[] data, char[] passphrase) throws GeneralSecurityException {
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(data);
            // for PBES2 the JDK names the whole scheme in the parameters, not in the algorithm
            String scheme = info.getAlgParameters().toString();
            String name = scheme.startsWith("PBE") ? scheme : info.getAlgName();
            Cipher cipher = Cipher.getInstance(name);
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SecretKeyFactory.getInstance(name).generateSecret(new PBEKeySpec(passphrase)),
                    info.getAlgParameters());
            return pkcs8(info.getKeySpec(cipher).getEncoded());
        } catch (InvalidKeySpecException | IllegalArgumentException e) {
            throw wrongPassphrase(e);
        } catch (IOException e) {
            throw new GeneralSecurityException("a locked key that cannot be read", e);
        } finally {
            Arrays.fill(passphrase, ' ');
        }
    }

    private static boolean isLockedOldForm(Pem.Section section) {
        return section.headers().stream().anyMatch(line -> line.startsWith(DEK_INFO));
    }

    /** OpenSSL's old form: key from MD5 rounds over passphrase and the first 8 bytes of the vector. */
    private static byte[] unlock(Pem.Section section, char[] passphrase) throws GeneralSecurityException {
        String[] info = dekInfo(section.headers());
        byte[] vector = HexFormat.of().parseHex(info[1].strip());
        String cipherName = switch (info[0].strip()) {
            case "DES-EDE3-CBC" -> "DESede";
            case "AES-128-CBC", "AES-192-CBC", "AES-256-CBC" -> "AES";
            default -> throw new GeneralSecurityException("locked with " + info[0] + ", which is not known");
        };
        int length = cipherName.equals("DESede")
                ? 24
                : Integer.parseInt(info[0].strip().substring(4, 7)) / 8;
        byte[] secret = new String(passphrase).getBytes(StandardCharsets.UTF_8);
        Arrays.fill(passphrase, ' ');
        Cipher cipher = Cipher.getInstance(cipherName + "/CBC/PKCS5Padding");
        SecretKeySpec key = new SecretKeySpec(derive(secret, Arrays.copyOf(vector, 8), length), cipherName);
        cipher.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(vector));
        try {
            return cipher.doFinal(section.data());
        } catch (BadPaddingException e) {
            throw wrongPassphrase(e);
        }
    }

    private static GeneralSecurityException wrongPassphrase(Exception e) {
        return new GeneralSecurityException("the pass phrase is wrong, or the file is broken", e);
    }

    private static String[] dekInfo(List<String> headers) throws GeneralSecurityException {
        for (String line : headers) {
            if (line.startsWith(DEK_INFO) && line.indexOf(',') > 0) {
                return line.substring(DEK_INFO.length()).split(",", 2);
            }
        }
        throw new GeneralSecurityException("a locked key without " + DEK_INFO);
    }

    private static byte[] derive(byte[] secret, byte[] salt, int length) throws GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("MD5");
        byte[] key = new byte[0];
        byte[] round = new byte[0];
        while (key.length < length) {
            digest.update(round);
            digest.update(secret);
            round = digest.digest(salt);
            int before = key.length;
            key = Arrays.copyOf(key, before + round.length);
            System.arraycopy(round, 0, key, before, round.length);
        }
        return Arrays.copyOf(key, length);
    }
}
