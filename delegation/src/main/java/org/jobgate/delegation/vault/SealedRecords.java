// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jobgate.store.DoorRecord;

/**
 * Credentials as the store keeps them. When a record ends stands open in it, so that ends can be watched without opening anything;
 * the rest is sealed under the site key, bound to the record's owner, key and times.
 */
final class SealedRecords {

    private static final String PROXY = "1";
    private static final String TOKEN = "2";

    private final String kind;
    private final SiteKey siteKey;

    SealedRecords(String kind, SiteKey siteKey) {
        this.kind = kind;
        this.siteKey = siteKey;
    }

    /** When what a record holds ends. */
    record Times(Instant expires, Instant terminates) {}

    /** All ids of one owner have the same beginning, so that the owner's records stand together and never meet those of another owner. */
    static String id(String owner, String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(owner.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16) + "/" + key;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    DoorRecord write(DelegatedCredential credential, Instant created) {
        Times times = new Times(credential.expires(), credential.terminates());
        String form = form(credential);
        byte[] plain = switch (credential) {
            case DelegatedProxy proxy -> plain(proxy);
            case DelegatedToken token -> token.token().getBytes(StandardCharsets.US_ASCII);
        };
        byte[] sealed = siteKey.seal(plain, label(form, credential.owner(), credential.key(), times));
        String body = String.join(
                ";",
                form,
                Long.toString(times.expires().toEpochMilli()),
                Long.toString(times.terminates().toEpochMilli()),
                Base64.getEncoder().encodeToString(sealed));
        return new DoorRecord(kind, id(credential.owner(), credential.key()), null, credential.owner(), body, created);
    }

    private static String form(DelegatedCredential credential) {
        return credential instanceof DelegatedToken ? TOKEN : PROXY;
    }

    static boolean isToken(DoorRecord record) {
        return record.body().startsWith(TOKEN + ";");
    }

    /** Whether the record holds something of the same kind, so that the one may take the other's place. */
    static boolean isAlike(DoorRecord record, DelegatedCredential credential) {
        return isToken(record) == credential instanceof DelegatedToken;
    }

    private String label(String form, String owner, String key, Times times) {
        // the first version knew proxies only, and its label did not name the form
        return String.join(
                "\n",
                form.equals(PROXY) ? kind : kind + ";" + form,
                owner,
                key,
                Long.toString(times.expires().toEpochMilli()),
                Long.toString(times.terminates().toEpochMilli()));
    }

    private static byte[] plain(DelegatedProxy credential) {
        try (ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeBoolean(credential.limited());
            out.writeUTF(credential.privateKey().getAlgorithm());
            writeBlock(out, credential.privateKey().getEncoded());
            writeBlock(out, Chains.toPkiPath(credential.chain()));
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (CertificateException e) {
            throw new IllegalArgumentException("a chain that was read cannot be written", e);
        }
    }

    private static void writeBlock(DataOutputStream out, byte[] block) throws IOException {
        out.writeInt(block.length);
        out.write(block);
    }

    /** @throws IllegalStateException if it is not of our form */
    static Times times(DoorRecord record) {
        String[] parts = record.body().split(";", 4);
        if (parts.length != 4 || !(parts[0].equals(PROXY) || parts[0].equals(TOKEN))) {
            throw new IllegalStateException("the record " + record.id() + " is of no form that is known here");
        }
        return new Times(
                Instant.ofEpochMilli(Long.parseLong(parts[1])), Instant.ofEpochMilli(Long.parseLong(parts[2])));
    }

    /** @throws GeneralSecurityException if it cannot be opened with the site key */
    DelegatedCredential read(DoorRecord record) throws GeneralSecurityException {
        Times times = times(record);
        String owner = record.owner() == null ? "" : record.owner();
        String key = record.id().substring(record.id().indexOf('/') + 1);
        String[] parts = record.body().split(";", 4);
        byte[] plain = siteKey.open(Base64.getDecoder().decode(parts[3]), label(parts[0], owner, key, times));
        return parts[0].equals(TOKEN)
                ? new DelegatedToken(
                        owner, key, new String(plain, StandardCharsets.US_ASCII), times.expires(), times.terminates())
                : proxy(record, owner, key, times, plain);
    }

    private static DelegatedProxy proxy(DoorRecord record, String owner, String key, Times times, byte[] plain)
            throws GeneralSecurityException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(plain))) {
            boolean limited = in.readBoolean();
            PrivateKey privateKey =
                    KeyFactory.getInstance(in.readUTF()).generatePrivate(new PKCS8EncodedKeySpec(readBlock(in)));
            List<X509Certificate> chain = Chains.ofPkiPath(readBlock(in));
            return new DelegatedProxy(owner, key, chain, privateKey, limited, times.expires(), times.terminates());
        } catch (IOException e) {
            throw new UncheckedIOException("the record " + record.id() + " is cut short", e);
        }
    }

    private static byte[] readBlock(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }
}
