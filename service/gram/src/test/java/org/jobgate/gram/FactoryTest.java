// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One factory resource for each LRM, and what it says of itself. */
class FactoryTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String GLUE = "http://mds.globus.org/glue/ce/1.1";
    private static final Door DOOR = new Door();

    @AfterAll
    static void close() {
        DOOR.close();
    }

    private static Answer property(String lrm, String name) {
        return DOOR.post(
                FACTORY,
                Envelopes.property(lrm, name)
                        .replace(
                                "<p:GetResourceProperty ",
                                "<p:GetResourceProperty xmlns:glue=\"" + GLUE
                                        + "\" xmlns:metric=\"http://mds.globus.org/metadata/2005/02\" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Fork", "Slurm", "Multi"})
    void eachLrmHasItsFactory(String lrm) {
        assertThat(property(lrm, "job:localResourceManager").one("localResourceManager"))
                .isEqualTo(lrm);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fork", "multi", "PBS"})
    void anotherNameIsUnknownAndTheFaultSaysWhichThereAre(String lrm) {
        Answer answer = property(lrm, "job:localResourceManager");

        assertThat(answer.fault().localName()).isEqualTo("ResourceUnknownFault");
        assertThat(answer.one("faultstring")).contains("Fork, Slurm");
    }

    @ParameterizedTest
    @CsvSource({
        "globusLocation, /opt/jobgate",
        "hostCPUType, os.arch",
        "hostOSName, os.name",
        "hostOSVersion, os.version",
        "scratchBaseDirectory, ${GLOBUS_USER_HOME}/.globus/scratch"
    })
    void theHostsFactsAreThoseOfThisHost(String name, String value) {
        String expected = value.startsWith("os.") ? System.getProperty(value) : value;
        assertThat(property("Fork", "job:" + name).one(name)).isEqualTo(expected);
    }

    @Test
    void theQueueOfForkIsShownWithWhatIsKnownOfIt() {
        XmlElement element = property("Fork", "glue:GLUECE")
                .body()
                .children()
                .getFirst()
                .child("ComputingElement")
                .orElseThrow();

        assertThat(element.attributes()).containsEntry(new QName(GLUE, "Name"), "Fork");
        assertThat(element.child("Info").orElseThrow().attributes())
                .containsOnly(
                        Map.entry(new QName(GLUE, "LRMSType"), "fork"),
                        Map.entry(new QName(GLUE, "HostName"), "127.0.0.1"));
        assertThat(element.child("Policy").orElseThrow().attributes())
                .containsOnly(Map.entry(new QName(GLUE, "MaxRunningJobs"), "7"));
        assertThat(element.child("State").orElseThrow().attributes()).isEmpty();
    }

    @Test
    void onlyACondorFactoryTellsWhatCondorMatches() {
        assertThat(property("Fork", "job:condorArchitecture").body().children()).isEmpty();
        assertThat(property("Fork", "job:condorOS").body().children()).isEmpty();
    }

    @Test
    void theSummaryOfOneQueueIsThatQueue() {
        assertThat(property("Fork", "glue:GLUECESummary").text()).contains("MaxRunningJobs=\"7\"");
    }

    @Test
    void anLrmOfWhichNothingIsKnownHasNoView() {
        assertThat(property("Slurm", "glue:GLUECE").body().children()).isEmpty();
        assertThat(property("Slurm", "glue:GLUECESummary").body().children()).isEmpty();
        assertThat(property("Multi", "glue:GLUECE").body().children()).isEmpty();
    }

    @Test
    void theServiceTellsSinceWhenItRunsAndWhatItIs() {
        Answer answer = property("Fork", "metric:ServiceMetaDataInfo");

        assertThat(answer.one("startTime")).isEqualTo("2026-11-20T14:55:55.000Z");
        assertThat(answer.one("serviceTypeName")).isEqualTo(FACTORY);
        assertThat(answer.one("version")).isNotBlank();
    }

    @Test
    void theNewerGenerationTellsAllLrmsAndItsRules() {
        List<String> lrms = DOOR.post(
                        FACTORY, Envelopes42.of("", Envelopes42.property("job:availableLocalResourceManagers")))
                .all("localResourceManager");
        assertThat(lrms).containsExactly("Fork", "Slurm");
        assertThat(DOOR.post(FACTORY, Envelopes42.of("", Envelopes42.property("job:jobTTLAfterProcessing")))
                        .one("jobTTLAfterProcessing"))
                .isEqualTo("86400");
        assertThat(DOOR.post(FACTORY, Envelopes42.of("", Envelopes42.property("job:maxJobLifetime")))
                        .one("maxJobLifetime"))
                .isEqualTo("31536000");
    }
}
