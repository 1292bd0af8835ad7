// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.cert.CertificateException;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.junit.jupiter.api.Test;

class SubjectNameTest {

    private static String slash(X500NameBuilder name) throws CertificateException, IOException {
        return SubjectName.slashForm(new X500Principal(name.build().getEncoded()));
    }

    private static X500NameBuilder name() {
        return new X500NameBuilder(BCStyle.INSTANCE);
    }

    @Test
    void keepsTheOrderOfTheCertificate() throws Exception {
        assertThat(SubjectName.slashForm(new X500Principal("CN=Alice Ant,OU=Physics,O=Grid,C=NL")))
                .isEqualTo("/C=NL/O=Grid/OU=Physics/CN=Alice Ant");
        assertThat(SubjectName.slashForm(new X500Principal("CN=Bob,DC=example,DC=org")))
                .isEqualTo("/DC=org/DC=example/CN=Bob");
    }

    @Test
    void namesAttributesAsOpensslDoes() throws Exception {
        assertThat(slash(name().addRDN(BCStyle.ST, "Utah")
                        .addRDN(BCStyle.UID, "u1")
                        .addRDN(BCStyle.SERIALNUMBER, "7")
                        .addRDN(BCStyle.CN, "A")
                        .addRDN(BCStyle.EmailAddress, new DERIA5String("a@x.org"))))
                .isEqualTo("/ST=Utah/UID=u1/serialNumber=7/CN=A/emailAddress=a@x.org");
    }

    @Test
    void anAttributeWithoutANameKeepsItsNumber() throws Exception {
        assertThat(SubjectName.slashForm(new X500Principal("1.2.3.4=#0c0178,O=G")))
                .isEqualTo("/O=G/1.2.3.4=x");
    }

    @Test
    void joinsAPartOfSeveralAttributes() throws Exception {
        assertThat(slash(name().addRDN(BCStyle.O, "G").addMultiValuedRDN(new AttributeTypeAndValue[] {
                    new AttributeTypeAndValue(BCStyle.CN, new DERUTF8String("A")),
                    new AttributeTypeAndValue(BCStyle.UID, new DERUTF8String("a1"))
                })))
                .isIn("/O=G/CN=A+UID=a1", "/O=G/UID=a1+CN=A");
    }

    @Test
    void keepsWhatIsNotAsciiWhateverTheEncoding() throws Exception {
        assertThat(slash(name().addRDN(BCStyle.CN, new DERUTF8String("Jürgen Žák 日本"))))
                .isEqualTo("/CN=Jürgen Žák 日本");
        assertThat(slash(name().addRDN(BCStyle.CN, new DERBMPString("Jürgen")))).isEqualTo("/CN=Jürgen");
    }

    @Test
    void keepsCharactersThatOtherFormsEscape() throws Exception {
        assertThat(slash(name().addRDN(BCStyle.CN, new DERUTF8String("host/gate.example.org"))))
                .isEqualTo("/CN=host/gate.example.org");
        assertThat(slash(name().addRDN(BCStyle.O, new DERUTF8String("A, B; \"C\" \\ #1 + 2"))))
                .isEqualTo("/O=A, B; \"C\" \\ #1 + 2");
    }

    @Test
    void refusesWhatCouldPassForSomebodyElse() {
        assertThatThrownBy(() -> slash(name().addRDN(BCStyle.CN, new DERUTF8String("Eve/CN=Alice"))))
                .isInstanceOf(CertificateException.class)
                .hasMessageContaining("several attributes");
        assertThatThrownBy(() -> slash(name().addRDN(BCStyle.CN, new DERUTF8String("Eve+UID=alice"))))
                .isInstanceOf(CertificateException.class);
        assertThatThrownBy(() -> slash(name().addRDN(BCStyle.CN, new DERUTF8String("Alice\u0000.evil.org"))))
                .isInstanceOf(CertificateException.class)
                .hasMessageContaining("U+0000");
        assertThatThrownBy(() -> slash(name())).isInstanceOf(CertificateException.class);
        assertThatThrownBy(() -> slash(name().addRDN(BCStyle.CN, new DERUTF8String("x".repeat(2000)))))
                .isInstanceOf(CertificateException.class);
    }
}
