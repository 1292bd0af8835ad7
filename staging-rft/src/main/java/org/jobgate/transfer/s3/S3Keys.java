// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.s3;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jobgate.transfer.file.SmallFiles;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * An account's keys for a store: those of the profile {@code default} of its own {@code ~/.aws/credentials}.
 *
 * @param token of a session; absent for keys that last
 */
record S3Keys(String id, String secret, @Nullable String token) {

    private static final String FILE = ".aws/credentials";
    private static final String PROFILE = "[default]";

    static S3Keys of(SmallFiles files, String account) throws TransferException {
        Optional<byte[]> file = files.read(account, FILE);
        Map<String, String> settings = file.isEmpty() ? Map.of() : settings(file.get());
        file.ifPresent(bytes -> Arrays.fill(bytes, (byte) 0));
        String id = settings.getOrDefault("aws_access_key_id", "");
        String secret = settings.getOrDefault("aws_secret_access_key", "");
        if (id.isEmpty() || secret.isEmpty()) {
            throw new TransferException(
                    Kind.PERMANENT,
                    "the account " + account
                            + " has no aws_access_key_id and aws_secret_access_key in the profile default of ~/" + FILE,
                    "Write them there as that account (aws configure), readable by nobody else.");
        }
        return new S3Keys(id, secret, settings.get("aws_session_token"));
    }

    private static Map<String, String> settings(byte[] file) {
        Map<String, String> settings = new HashMap<>();
        boolean isOurs = false;
        for (String line : new String(file, StandardCharsets.UTF_8).lines().toList()) {
            String text = line.strip();
            int sign = text.indexOf('=');
            if (text.startsWith("[")) {
                isOurs = text.replace(" ", "").equals(PROFILE);
            } else if (isOurs && sign > 0 && !text.startsWith("#") && !text.startsWith(";")) {
                settings.put(
                        text.substring(0, sign).strip(),
                        text.substring(sign + 1).strip());
            }
        }
        return settings;
    }

    /** Without anything secret. */
    @Override
    public String toString() {
        return "keys " + id;
    }
}
