// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.delegation.TestGrid.ALICE;

import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.delegation.DelegationDoor;
import org.jobgate.delegation.TestGrid;
import org.jobgate.delegation.vault.Chains;
import org.jobgate.soap.Answer;
import org.jobgate.soap.Capture;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replays what real GT 4.0 and 4.2 clients sent to the delegation services. The captures' tokens are cut short and their keys are gone,
 * so a proxy over this service's key and the key of a credential that is there stand in their places; the rest is as it was on the wire.
 */
class Gt4CapturesTest {

    private static final TestGrid GRID = new TestGrid();
    private static final Pattern TOKEN = Pattern.compile("(<wsse:BinarySecurityToken[^>]*>)[^<]*");
    private static final Pattern KEY = Pattern.compile("(DelegationKey[^>]*>)[^<]+");

    private static DelegationDoor door;

    @BeforeAll
    static void open(@TempDir Path directory) {
        door = new DelegationDoor(GRID, directory);
    }

    @AfterAll
    static void close() {
        door.close();
    }

    private static String request(String number) {
        return Capture.read(number).request();
    }

    private static PublicKey serviceKey() throws Exception {
        String chain = door.post(ALICE, "DelegationFactoryService", request("02"))
                .body()
                .child("CertificateChain")
                .orElseThrow()
                .child("BinarySecurityToken")
                .orElseThrow()
                .text();
        return Chains.ofPkiPath(Base64.getDecoder().decode(chain)).getFirst().getPublicKey();
    }

    private static String token(Duration lifetime) throws Exception {
        List<X509Certificate> proxy = GRID.proxyOfAlice(serviceKey(), lifetime);
        return Base64.getMimeEncoder().encodeToString(Chains.toPkiPath(proxy));
    }

    private static String withToken(String request, Duration lifetime) throws Exception {
        Matcher matcher = TOKEN.matcher(request);
        return matcher.find() ? matcher.replaceFirst("$1" + Matcher.quoteReplacement(token(lifetime))) : request;
    }

    /** Delegates as capture 03 does; answers the key of the credential. */
    private static String delegated() throws Exception {
        Answer answer = door.post(ALICE, "DelegationFactoryService", withToken(request("03"), Duration.ofHours(1)));
        Matcher matcher = KEY.matcher(answer.text());
        assertThat(matcher.find()).as(answer.text()).isTrue();
        return matcher.group().replaceFirst(".*>", "");
    }

    @ParameterizedTest(name = "capture {0}")
    @ValueSource(strings = {"02", "03", "16", "27", "57", "61"})
    void theReplyIsOneThatTheClientWasContentWith(String number) throws Exception {
        Capture capture = Capture.read(number);
        String request = withToken(capture.request(), Duration.ofHours(2));
        if (KEY.matcher(request).find()) {
            request = KEY.matcher(request).replaceAll("$1" + delegated());
        }

        Answer answer = door.post(ALICE, capture.service(), request);

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        Capture.assertSameBody(capture.reply(), answer.text(), "BinarySecurityToken", "DelegationKey", "Address");
    }

    /** Captures 64 to 66: refused until November 2026, so that no GT 4.2 client could delegate. What it is answered is in its own namespace. */
    @ParameterizedTest(name = "capture {0}")
    @CsvSource({
        "64, {http://www.globus.org/01/2008/delegationService}CertificateChain,"
                + " http://docs.oasis-open.org/wsrf/rpw-2/GetResourceProperty/GetResourcePropertyResponse",
        "65, {http://www.w3.org/2005/08/addressing}EndpointReference,"
                + " http://www.globus.org/01/2008/delegationService/DelegationFactoryPortType/RequestSecurityTokenResponse",
        "66, {http://www.globus.org/01/2008/delegationService}voidElemType,"
                + " http://www.globus.org/01/2008/delegationService/DelegationPortType/refreshResponse"
    })
    void whatGt42AsksInItsOwnNamespaceIsAnsweredInThat(String number, String element, String action) throws Exception {
        Capture capture = Capture.read(number);
        String request = withToken(capture.request(), Duration.ofHours(2));
        if (KEY.matcher(request).find()) {
            request = KEY.matcher(request).replaceAll("$1" + delegated());
        }

        Answer answer = door.post(ALICE, capture.service(), request);

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        XmlElement body = answer.body();
        XmlElement told = body.children().isEmpty() ? body : body.children().getFirst();
        assertThat(told.name()).hasToString(element);
        assertThat(answer.text()).contains(">" + action + "</");
    }
}
