// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Later;
import org.jobgate.soap.RequestHead;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which typed fault a refusal for now is, by the operation that it answers. */
class BesFaultsTest {

    private final BesDialect dialect = new BesDialect(new BesFaults(new TestJsdl()));

    @ParameterizedTest
    @CsvSource({
        "CreateActivity, NOT_NOW, NotAcceptingNewActivitiesFault, SERVER",
        "CreateActivity, SHUTTING_DOWN, NotAcceptingNewActivitiesFault, SERVER",
        "CreateActivity, LIMIT_EXCEEDED, NotAcceptingNewActivitiesFault, CLIENT",
        "GetActivityStatuses, NOT_NOW, Problem, SERVER",
        "TerminateActivities, SHUTTING_DOWN, Problem, SERVER",
        "TerminateActivities, LIMIT_EXCEEDED, InvalidRequestMessageFault, CLIENT"
    })
    void onlyWhoCreatesAnActivityIsToldThatNewOnesAreNotAccepted(
            String operation, FaultCode code, String element, SoapFaultException.Code side) {
        Fault fault = Fault.of(code, "Not at present.", "Come again.").until(Later.inAMoment());

        SoapFaultException said = dialect.fault(new RequestHead(List.of(), BesNames.factory(operation)), fault);

        assertThat(said.code()).isEqualTo(side);
        assertThat(XmlWriter.toText(Objects.requireNonNull(said.detail())))
                .matches("(?s)<\\w+:" + element + "\\b.*")
                .contains("code=\"" + code + "\"");
    }
}
