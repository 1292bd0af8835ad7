// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubjectNameTest {

    private static SubjectName certificate(X500NameBuilder name) throws Exception {
        return SubjectName.of(new X500Principal(name.build().getEncoded()));
    }

    private static X500NameBuilder name() {
        return new X500NameBuilder(BCStyle.INSTANCE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/DC=org/DC=example/O=Grid/OU=a, b/CN=host/gate.example.org/emailAddress=a@example.org",
                "/dc=org/DC=example/O=grid/OU=a,  b/CN=host/gate.example.org/Email=a@example.org",
                "/DC=org/DC=example/O=Grid/OU=a, b/CN=host/gate.example.org/1.2.840.113549.1.9.1=a@example.org",
                "emailAddress=a@example.org,CN=host/gate.example.org,OU=a\\, b,O=Grid,DC=example,DC=org",
                "EMAILADDRESS=a@example.org, CN=host/gate.example.org, OU=\"a, b\", O=Grid, DC=example, DC=org",
            })
    void bothFormsNameTheSameCertificate(String text) throws Exception {
        SubjectName own = certificate(name().addRDN(BCStyle.DC, "org")
                .addRDN(BCStyle.DC, "example")
                .addRDN(BCStyle.O, "Grid")
                .addRDN(BCStyle.OU, "a, b")
                .addRDN(BCStyle.CN, "host/gate.example.org")
                .addRDN(BCStyle.EmailAddress, "a@example.org"));
        assertThat(SubjectName.parse(text)).isEqualTo(own).hasSameHashCodeAs(own);
        assertThat(SubjectName.parse(text + "x")).isNotEqualTo(own);
        assertThat(SubjectName.parse("/DC=org/DC=example/O=Grid")).isNotEqualTo(own);
    }

    /** In slash form both would be /O=Grid/CN=x/CN=Bob. */
    @Test
    void aNameThatHoldsASlashIsNotSomebodyElses() throws Exception {
        SubjectName forged = certificate(name().addRDN(BCStyle.O, "Grid").addRDN(BCStyle.CN, "x/CN=Bob"));
        SubjectName bob = certificate(
                name().addRDN(BCStyle.O, "Grid").addRDN(BCStyle.CN, "x").addRDN(BCStyle.CN, "Bob"));
        assertThat(SubjectName.parse("/O=Grid/CN=x/CN=Bob")).isEqualTo(bob).isNotEqualTo(forged);
        assertThat(SubjectName.parse("CN=x/CN=Bob,O=Grid")).isEqualTo(forged);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "/", "/gate.example.org", "gate", "x/CN=Bob", "/NOSUCH=x", "CN=a,b"})
    void whatIsNoNameIsSaid(String text) {
        assertThatThrownBy(() -> SubjectName.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("subject");
    }
}
