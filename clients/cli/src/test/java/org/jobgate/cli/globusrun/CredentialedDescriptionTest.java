// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;
import org.junit.jupiter.api.Test;

class CredentialedDescriptionTest {
    private static final Epr CREDENTIAL = new Epr(
            "https://gate/wsrf/services/DelegationService",
            List.of(new XmlElement(Names.DELEGATION, "DelegationKey", List.of(), List.of(), "k$1")));

    private static XmlElement with(String description) throws Exception {
        return JobDescriptionFile.parsed(
                new CredentialedDescription(description).with(CREDENTIAL, CREDENTIAL, CREDENTIAL));
    }

    private static String names(XmlElement element) {
        return String.join(
                " ", element.children().stream().map(XmlElement::name).toList());
    }

    @Test
    void credentialsStandWhereTheSchemaWantsThem() throws Exception {
        String namespace = " xmlns=\"" + Names.DESCRIPTION + "\"";
        XmlElement job = with("<job" + namespace + "><executable>/bin/true</executable></job>");
        assertThat(names(job)).isEqualTo("jobCredentialEndpoint stagingCredentialEndpoint executable");
        Epr read = Epr.of(job.children().getFirst());
        assertThat(read.address()).isEqualTo(CREDENTIAL.address());
        assertThat(read.properties().getFirst().text()).isEqualTo("k$1");
        assertThat(names(with("<job" + namespace + "><factoryEndpoint><Address xmlns=\"" + Names.WSA
                        + "\">x</Address></factoryEndpoint><executable>e</executable></job>")))
                .isEqualTo("factoryEndpoint jobCredentialEndpoint stagingCredentialEndpoint executable");
        assertThat(names(with("<d:job xmlns:d=\"" + Names.DESCRIPTION + "\"><d:executable>e</d:executable></d:job>")))
                .startsWith("jobCredentialEndpoint");
    }

    @Test
    void transfersGetTheirs() throws Exception {
        XmlElement job = with("<job xmlns=\"" + Names.DESCRIPTION + "\"><fileStageIn><transfer xmlns=\"" + Names.RFT
                + "\"><sourceUrl>a</sourceUrl></transfer></fileStageIn></job>");
        assertThat(names(job.children().getLast())).isEqualTo("transferCredentialEndpoint transfer");
    }

    @Test
    void everySubJobGetsTheJobsCredential() throws Exception {
        XmlElement multi = with("<multiJob xmlns=\"" + Names.DESCRIPTION
                + "\"><job><executable>a</executable></job><job><executable>b</executable></job></multiJob>");
        assertThat(names(multi)).isEqualTo("jobCredentialEndpoint job job");
        assertThat(names(multi.children().getLast())).isEqualTo("jobCredentialEndpoint executable");
    }

    @Test
    void whatIsNamedAlreadyIsSeen() {
        String job = "<d:job xmlns:d=\"x\"><d:jobCredentialEndpoint/></d:job>";
        assertThat(new CredentialedDescription(job).namesJobCredential()).isTrue();
        assertThat(new CredentialedDescription(job).namesStagingCredential()).isFalse();
        assertThat(new CredentialedDescription(job).with(null, null, null)).isEqualTo(job);
    }
}
