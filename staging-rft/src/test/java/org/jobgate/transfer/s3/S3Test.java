// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jobgate.transfer.HomeFiles;
import org.jobgate.transfer.file.SmallFiles;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.s3.S3Listing.Found;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs, keys, answers; the rest needs a store: S3ProtocolIT. */
class S3Test {

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource({
        "s3://b-1.x/k, /b-1.x/k",
        "s3://bucket/, /bucket/",
        "s3://a_b/x%20y/%C3%A4+~, /a_b/x%20y/%C3%A4%2B~",
        "s3://bucket//x, /bucket//x",
    })
    void aKeyIsEncodedAsItIsSigned(String url, String path) throws Exception {
        assertThat(S3Place.of(URI.create(url)).encodedPath()).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://u:secret@b/x",
                "s3://bucket:80/x",
                "s3://b/../c/x",
                "s3://bucket/a/./b",
                "s3://bucket/x?y=z",
                "s3:///x"
            })
    void otherUrlsAreRefusedWithoutSayingWhatIsInThem(String url) {
        assertThatThrownBy(() -> S3Place.of(URI.create(url)))
                .isInstanceOf(TransferException.class)
                .message()
                .doesNotContain("secret");
    }

    private S3Keys keys(String file) throws Exception {
        Files.createDirectories(home.resolve(".aws"));
        Files.writeString(home.resolve(".aws/credentials"), file);
        return S3Keys.of(new SmallFiles(new HomeFiles(home)), "alice");
    }

    @Test
    void keysAreThoseOfTheDefaultProfile() throws Exception {
        S3Keys keys = keys("""
                [other]
                aws_access_key_id=x
                [ default ]
                # aws_access_key_id = y
                aws_access_key_id = id
                aws_secret_access_key = a=b
                aws_session_token=t
                [third]
                aws_access_key_id=z
                """);
        assertThat(keys).isEqualTo(new S3Keys("id", "a=b", "t"));
        assertThat(keys).hasToString("keys id");
        assertThatThrownBy(() -> keys("[other]\naws_access_key_id=x\naws_secret_access_key=y\n"))
                .isInstanceOf(TransferException.class);
        assertThatThrownBy(() -> keys("x".repeat(SmallFiles.MAX_BYTES + 1)))
                .isInstanceOf(TransferException.class)
                .hasMessageContaining("too much");
    }

    private static S3Listing listing(String text) throws IOException {
        return S3Listing.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aListIsDecodedWhereItSaysSo() throws Exception {
        String body = "<Prefix>d/</Prefix><Contents><Key>d/a+b%2B</Key><Size>3</Size></Contents>"
                + "<CommonPrefixes><Prefix>d/s/</Prefix></CommonPrefixes><IsTruncated>true</IsTruncated>"
                + "<NextContinuationToken>n</NextContinuationToken>";
        assertThat(listing("<ListBucketResult>" + body + "</ListBucketResult>").found())
                .containsExactly(new Found("d/a+b%2B", 3, false), new Found("d/s/", 0, true));
        S3Listing encoded =
                listing("<ListBucketResult>" + body + "<EncodingType>url</EncodingType></ListBucketResult>");
        assertThat(encoded.found()).containsExactly(new Found("d/a b+", 3, false), new Found("d/s/", 0, true));
        assertThat(encoded.next()).isEqualTo("n");
    }

    @Test
    void whatIsNoListIsRefused() {
        assertThatThrownBy(() -> listing("<Error><Code>x</Code></Error>")).hasMessageContaining("no list");
        assertThatThrownBy(() -> listing("nonsense")).isInstanceOf(IOException.class);
        assertThatThrownBy(
                        () -> listing(
                                "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><ListBucketResult>&e;</ListBucketResult>"))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> listing("<ListBucketResult>" + " ".repeat(9 << 20)))
                .hasMessageContaining("larger than");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://h", "https:///x", "https://u@h", "https://h?x"})
    void otherEndpointsAreRefused(String endpoint) {
        assertThatThrownBy(() -> new S3Settings(URI.create(endpoint), "r"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void partsOfALargeObjectAreLargeEnough() {
        assertThat(S3Limits.DEFAULTS.partOf(6L << 30)).isEqualTo(512L << 20);
        long most = 5L << 40;
        assertThat(S3Limits.DEFAULTS.partOf(most) * 10_000).isGreaterThanOrEqualTo(most);
        assertThat(S3Limits.DEFAULTS.partOf(most)).isLessThan(5L << 30);
    }
}
