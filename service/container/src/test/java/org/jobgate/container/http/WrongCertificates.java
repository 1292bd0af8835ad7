// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.jobgate.container.tls.Forge.INDEPENDENT;
import static org.jobgate.container.tls.Forge.INHERIT_ALL;
import static org.jobgate.container.tls.Forge.LIMITED;
import static org.jobgate.container.tls.Forge.authority;
import static org.jobgate.container.tls.Forge.proxyOf;
import static org.jobgate.container.tls.Forge.user;

import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.jobgate.container.tls.Forge;
import org.jobgate.container.tls.Forge.Made;
import org.jobgate.container.tls.TestPki;

/** Chains that must be refused, each for a reason of its own. */
final class WrongCertificates {

    private static final Duration DAY = Duration.ofDays(1);

    /** Trusted for {@code /O=Grid/*}. */
    final Made ca = authority("CN=CA,O=Grid", null).selfSigned();
    /** Trusted, for {@code /O=Other/*} only. */
    private final Made other = authority("CN=CA,O=Other", null).selfSigned();

    /** Trusted, with a revocation list that has expired. */
    private final Made outdated = authority("CN=CA,O=Outdated", null).selfSigned();

    private final Made stranger = authority("CN=CA,O=Stranger", null).selfSigned();
    /** Trusted, with a key that nobody should. */
    private final Made weakAuthority =
            authority("CN=CA,O=Weak", null).keys("RSA-1024").selfSigned();

    final Made alice = user("CN=Alice,O=Grid").signedBy(ca);
    private final Made revoked = user("CN=Revoked,O=Grid").signedBy(ca);
    private final List<Row> rows = new ArrayList<>();

    /**
     * One chain.
     *
     * @param what for the table
     * @param reason a part of what the log must say
     */
    record Row(String what, TestPki.Credential credential, String reason) {
        @Override
        public String toString() {
            return what;
        }
    }

    WrongCertificates() {
        endEntities();
        authorities();
        proxyTimesAndNames();
        proxyRights();
        proxyForms();
        weakKeys();
    }

    List<Row> rows() {
        return List.copyOf(rows);
    }

    void trustIn(Path directory) throws IOException {
        Files.createDirectories(directory);
        String own = write(directory, ca, "/O=Grid/*");
        TestPki.write(directory.resolve(own + ".r0"), Forge.revoked(ca, revoked.certificate()));
        write(directory, other, "/O=Other/*");
        write(directory, weakAuthority, "/O=Weak/*");
        String late = write(directory, outdated, "/O=Outdated/*");
        TestPki.write(directory.resolve(late + ".r0"), Forge.revoked(outdated, DAY.negated()));
    }

    private static String write(Path directory, Made authority, String names) throws IOException {
        String hash =
                OpensslTruststoreHelper.getOpenSSLCAHash(authority.certificate().getSubjectX500Principal(), true);
        TestPki.write(directory.resolve(hash + ".0"), authority.certificate());
        String[] parts = authority.name().split(",", -1);
        Files.writeString(directory.resolve(hash + ".signing_policy"), """
                access_id_CA   X509    '/%s/%s'
                pos_rights     globus  CA:sign
                cond_subjects  globus  '"%s"'
                """.formatted(parts[1], parts[0], names));
        return hash;
    }

    private void row(String what, Made made, String reason) {
        rows.add(new Row(what, made.credential(), reason));
    }

    private void endEntities() {
        row(
                "user certificate, expired",
                user("CN=Old,O=Grid").valid(DAY.multipliedBy(-2), DAY.negated()).signedBy(ca),
                "expired at");
        row(
                "user certificate, not valid yet",
                user("CN=Young,O=Grid").valid(DAY, DAY.multipliedBy(2)).signedBy(ca),
                "not yet valid");
        row(
                "user certificate of an unknown authority",
                user("CN=Eve,O=Grid").signedBy(stranger),
                "No trusted CA certificate was found");
        row(
                "user certificate that signed itself",
                user("CN=Self,O=Grid").selfSigned(),
                "No trusted CA certificate was found");
        row("user certificate, revoked", revoked, "revoked");
        row(
                "user certificate, revoked, with a further certificate of its authority by another one",
                revoked.with(List.of(revoked.certificate(), Forge.cross(ca, other))),
                "revoked");
        row(
                "user certificate of an authority whose revocation list has expired",
                user("CN=Alice,O=Outdated").signedBy(outdated),
                "the revocation list of CN=CA, O=Outdated in the trust directory expired at");
        row(
                "user certificate outside the signing policy of its authority",
                user("CN=Alice,O=Grid").signedBy(other),
                "namespace");
        row(
                "user certificate in the authority's name, signed with another key",
                user("CN=Forged,O=Grid").signedBy(ca, stranger.key(), ca.name()),
                "Signature of a certificate is invalid");
        row(
                "user certificate with a critical extension that nobody knows",
                user("CN=Odd,O=Grid")
                        .ext("1.3.6.1.4.1.99999.1", true, DERNull.INSTANCE)
                        .signedBy(ca),
                "1.3.6.1.4.1.99999.1");
        row(
                "user certificate whose name could be another's in slash form",
                user("CN=x/CN\\=Bob,O=Grid").signedBy(ca),
                "could be taken for several attributes");
        row(
                "user certificate with a control character in its name",
                user("CN=x\\0AB,O=Grid").signedBy(ca),
                "control character");
    }

    private void authorities() {
        row(
                "signed by a user's certificate (no CA bit)",
                user("CN=Child,O=Grid").signedBy(alice),
                "CA");
        Made noSign = Forge.of("CN=Sub,O=Grid")
                .ext(Extension.basicConstraints.getId(), true, new BasicConstraints(true))
                .usage(KeyUsage.digitalSignature)
                .signedBy(ca);
        row(
                "signed by an intermediate authority that may not sign (key usage)",
                user("CN=Child,O=Grid").signedBy(noSign),
                "keyCertSign");
        Made last = authority("CN=Last,O=Grid", 0).signedBy(ca);
        Made beyond = authority("CN=Beyond,O=Grid", null).signedBy(last);
        row(
                "longer path of authorities than one of them allows",
                user("CN=Child,O=Grid").signedBy(beyond),
                "chain length exceeds the limit");
        Made old = authority("CN=OldSub,O=Grid", null)
                .valid(DAY.multipliedBy(-2), DAY.negated())
                .signedBy(ca);
        row("intermediate authority, expired", user("CN=Child,O=Grid").signedBy(old), "expired at");
    }

    private void proxyTimesAndNames() {
        Forge good = proxyOf(alice, INHERIT_ALL, null);
        row(
                "proxy, expired",
                good.valid(DAY.multipliedBy(-1), Duration.ofHours(-1)).signedBy(alice),
                "expired at");
        row("proxy, not valid yet", good.valid(Duration.ofHours(1), DAY).signedBy(alice), "not yet valid");
        Made oldUser =
                user("CN=Old,O=Grid").valid(DAY.multipliedBy(-2), DAY.negated()).signedBy(ca);
        row(
                "proxy of an expired user certificate",
                proxyOf(oldUser, INHERIT_ALL, null).signedBy(oldUser),
                "expired at");
        row(
                "proxy of a revoked user certificate",
                proxyOf(revoked, INHERIT_ALL, null).signedBy(revoked),
                "revoked");
        row(
                "proxy signed with another key",
                good.signedBy(alice, stranger.key(), alice.name()),
                "Signature of a certificate is invalid");
        row("proxy that names another issuer", good.signedBy(alice, alice.key(), "CN=Bob,O=Grid"), "issuer");
        row("proxy not named below its issuer", good.named("CN=1,CN=Bob,O=Grid").signedBy(alice), "subject");
        row("proxy named like its issuer", good.named(alice.name()).signedBy(alice), "subject");
        row(
                "proxy with two common names more than its issuer",
                good.named("CN=1,CN=2," + alice.name()).signedBy(alice),
                "subject");
        row(
                "proxy named by an organization instead of a common name",
                good.named("O=Evil," + alice.name()).signedBy(alice),
                "subject");
        Made proxy = good.signedBy(alice);
        row(
                "proxy without the certificate it was made from",
                proxy.with(List.of(proxy.certificate())),
                "Issuing end entity certificate was not found");
        Made second = proxyOf(proxy, INHERIT_ALL, null).signedBy(proxy);
        row(
                "proxy of a proxy, the middle one left out",
                second.with(List.of(second.certificate(), alice.certificate())),
                "issuer");
    }

    private void proxyRights() {
        Made limited = proxyOf(alice, LIMITED, null).signedBy(alice);
        row(
                "full proxy made from a limited one",
                proxyOf(limited, INHERIT_ALL, null).signedBy(limited),
                "limited");
        row(
                "independent proxy (inherits nothing)",
                proxyOf(alice, INDEPENDENT, null).signedBy(alice),
                "does not hand on the rights");
        row(
                "proxy with a policy that nobody knows",
                proxyOf(alice, "1.3.6.1.4.1.99999.7", null).signedBy(alice),
                "is not understood here");
        Made independent = proxyOf(alice, INDEPENDENT, null).signedBy(alice);
        row(
                "full proxy made from an independent one",
                proxyOf(independent, INHERIT_ALL, null).signedBy(independent),
                "does not hand on the rights");
        Made none = proxyOf(alice, INHERIT_ALL, 0).signedBy(alice);
        row(
                "proxy below one of path length 0",
                proxyOf(none, INHERIT_ALL, null).signedBy(none),
                "exceeded its length limit");
        Made one = proxyOf(alice, INHERIT_ALL, 1).signedBy(alice);
        Made two = proxyOf(one, INHERIT_ALL, null).signedBy(one);
        row(
                "two proxies below one of path length 1",
                proxyOf(two, INHERIT_ALL, null).signedBy(two),
                "exceeded its length limit");
    }

    private void proxyForms() {
        Forge good = proxyOf(alice, INHERIT_ALL, null);
        row(
                "proxy with the CA bit",
                good.ext(Extension.basicConstraints.getId(), true, new BasicConstraints(true))
                        .signedBy(alice),
                "cA field");
        GeneralNames name = new GeneralNames(new GeneralName(GeneralName.rfc822Name, "bob@example.org"));
        row(
                "proxy with an alternative subject name",
                good.ext(Extension.subjectAlternativeName.getId(), false, name).signedBy(alice),
                "lternative");
        row(
                "proxy with an alternative issuer name",
                good.ext(Extension.issuerAlternativeName.getId(), false, name).signedBy(alice),
                "lternative");
        row(
                "proxy whose proxy information is no critical extension",
                good.ext(
                                "1.3.6.1.5.5.7.1.14",
                                false,
                                new DERSequence(new DERSequence(new ASN1ObjectIdentifier(INHERIT_ALL))))
                        .signedBy(alice),
                "critical");
        row(
                "proxy whose proxy information cannot be read",
                good.ext("1.3.6.1.5.5.7.1.14", true, DERNull.INSTANCE).signedBy(alice),
                "");
        Made mute = user("CN=Mute,O=Grid").usage(KeyUsage.keyEncipherment).signedBy(ca);
        row(
                "proxy of a user certificate that may not sign (key usage)",
                proxyOf(mute, INHERIT_ALL, null).signedBy(mute),
                "no digital signature creation right");
        Made muteProxy = good.usage(KeyUsage.keyEncipherment).signedBy(alice);
        row(
                "proxy of a proxy that may not sign (key usage)",
                proxyOf(muteProxy, INHERIT_ALL, null).signedBy(muteProxy),
                "no digital signature creation right");
        Made proxy = good.signedBy(alice);
        Forge legacy = Forge.of("CN=proxy," + proxy.name()).usage(KeyUsage.digitalSignature);
        row("legacy proxy made from one of RFC 3820", legacy.signedBy(proxy), "");
        row("proxy made by the authority itself", proxyOf(ca, INHERIT_ALL, null).signedBy(ca), "");
        Made legacyLimited = Forge.of("CN=limited proxy," + alice.name())
                .usage(KeyUsage.digitalSignature)
                .signedBy(alice);
        row(
                "legacy full proxy made from a limited one",
                Forge.of("CN=proxy," + legacyLimited.name())
                        .usage(KeyUsage.digitalSignature)
                        .signedBy(legacyLimited),
                "limited");
    }

    private void weakKeys() {
        String limit = "1024 bits; the limit is credentials.minRsaBits = 2048";
        row(
                "user certificate with an RSA key of 1024 bits",
                user("CN=Weak,O=Grid").keys("RSA-1024").signedBy(ca),
                limit);
        row(
                "proxy with an RSA key of 1024 bits",
                proxyOf(alice, INHERIT_ALL, null).keys("RSA-1024").signedBy(alice),
                limit);
        Made weak = proxyOf(alice, INHERIT_ALL, null).keys("RSA-1024").signedBy(alice);
        row(
                "proxy of a proxy with an RSA key of 1024 bits",
                proxyOf(weak, INHERIT_ALL, null).signedBy(weak),
                limit);
        Made between = authority("CN=WeakSub,O=Grid", null).keys("RSA-1024").signedBy(ca);
        row(
                "intermediate authority with an RSA key of 1024 bits",
                user("CN=Child,O=Grid").signedBy(between),
                limit);
        Made below = user("CN=Child,O=Weak").signedBy(weakAuthority);
        row(
                "trusted authority with an RSA key of 1024 bits, left out of the chain",
                below.with(List.of(below.certificate())),
                limit);
    }
}
