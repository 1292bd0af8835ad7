// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.jsdl.Documents.read;
import static org.jobgate.jsdl.Documents.refusal;
import static org.jobgate.jsdl.Documents.resources;
import static org.jobgate.jsdl.Documents.site;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Resource;
import org.jobgate.job.Resources;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmCapabilities.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Resources, with ranges, against what an LRM is known to have. */
class JsdlResourcesTest {

    private static LrmCapabilities lrm(String kind, long memoryMiB, Resource... resources) {
        Queue queue = new Queue("q", false, true, 8L, null, null, null, null, null, null, null, "x86_64", memoryMiB);
        return new LrmCapabilities(kind, List.of(queue), Set.of(), null, Set.of(resources), null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<Exact>4</Exact>|4",
                "<Exact>4</Exact><Exact>2</Exact>|2",
                "<Exact epsilon='0.6'>3.5</Exact>|3",
                "<Exact epsilon='2'>4</Exact>|4",
                "<LowerBoundedRange>3</LowerBoundedRange>|3",
                "<LowerBoundedRange exclusiveBound='true'>3</LowerBoundedRange>|4",
                "<LowerBoundedRange exclusiveBound='1'>3.2</LowerBoundedRange>|4",
                "<Range><LowerBound>2.5</LowerBound><UpperBound>9</UpperBound></Range>|3",
                "<Range><LowerBound>7</LowerBound><UpperBound>9</UpperBound></Range><Exact>5.0E0</Exact>|5"
            })
    void theLeastNumberInTheRangeIsAskedFor(String range, int slots) {
        JobDescription job = read(resources("<TotalCPUCount>" + range + "</TotalCPUCount>"));

        assertThat(job.resources()).isEqualTo(Resources.builder().slots(slots).build());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Exact>-4</Exact>",
                "<Exact>0</Exact>",
                "<Exact>1.5</Exact>",
                "<Exact>many</Exact>",
                "<Exact>NaN</Exact>",
                "<UpperBoundedRange>0.5</UpperBoundedRange>",
                "<UpperBoundedRange>-1</UpperBoundedRange>",
                "<Range><LowerBound>9</LowerBound><UpperBound>2</UpperBound></Range>",
                "<Range><LowerBound exclusiveBound='true'>2</LowerBound><UpperBound>2</UpperBound></Range>",
                "<Exact>1e300</Exact>",
                ""
            })
    void aRangeWithoutANumberOfProcessorsIsRefused(String range) {
        Fault fault = refusal(resources("<TotalCPUCount>" + range + "</TotalCPUCount>"));

        assertThat(fault.code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        assertThat(fault.attribute()).contains("/jsdl:Resources/jsdl:TotalCPUCount");
    }

    @Test
    void rangesThatExcludeEachOtherAreRefused() {
        Fault fault = refusal(resources("<IndividualCPUCount><Exact>4</Exact></IndividualCPUCount>"
                + "<TotalCPUCount><Exact>6</Exact></TotalCPUCount>"));

        assertThat(fault.attribute()).endsWith("/jsdl:TotalCPUCount");
        assertThat(refusal(
                                resources(
                                        "<IndividualCPUCount><Exact>4</Exact></IndividualCPUCount>"
                                                + "<TotalCPUCount><Exact>8</Exact></TotalCPUCount><TotalResourceCount><Exact>3</Exact></TotalResourceCount>"))
                        .sentence())
                .contains("does not agree");
    }

    @Test
    void processorsOfSeveralHosts() {
        JobDescription job = read(resources("<IndividualCPUCount><Exact>4</Exact></IndividualCPUCount>"
                + "<TotalCPUCount><Exact>8</Exact></TotalCPUCount>"));

        assertThat(job.hostCount()).isEqualTo(2);
        assertThat(job.resources())
                .isEqualTo(Resources.builder().slots(8).slotsPerHost(4).build());
        assertThat(read(resources("<IndividualCPUCount><Exact>4</Exact></IndividualCPUCount>"))
                        .resources())
                .isEqualTo(Resources.builder().threadsPerProcess(4).build());
    }

    @Test
    void memoryIsAskedForOfAllHostsTogether() {
        assertThat(read(resources(
                                "<IndividualPhysicalMemory><LowerBoundedRange>1073741824</LowerBoundedRange>"
                                        + "</IndividualPhysicalMemory><TotalResourceCount><Exact>2</Exact></TotalResourceCount>"))
                        .resources())
                .isEqualTo(Resources.builder()
                        .slots(2)
                        .slotsPerHost(1)
                        .memoryMiB(2048L)
                        .build());
        assertThat(read(resources(
                                "<TotalPhysicalMemory><UpperBoundedRange>1000</UpperBoundedRange></TotalPhysicalMemory>"))
                        .resources())
                .isNull();
    }

    @Test
    void whatTheLrmIsKnownNotToHaveIsRefusedByItsPath() {
        String memory = resources(
                "<IndividualPhysicalMemory><LowerBoundedRange>1073741824</LowerBoundedRange></IndividualPhysicalMemory>");

        assertThat(refusal(memory, site(lrm("slurm", 512, Resource.MEMORY))).sentence())
                .contains("1024 MiB", "512", "jsdl:IndividualPhysicalMemory");
        assertThat(read(memory, site(lrm("fork", 4096))).resources()).isNull();
        assertThat(refusal(resources("<ExclusiveExecution>true</ExclusiveExecution>"), site(lrm("fork", 1)))
                        .attribute())
                .endsWith("/jsdl:ExclusiveExecution");
        assertThat(refusal(resources("<TotalCPUCount><Exact>2</Exact></TotalCPUCount>"), site(lrm("fork", 1)))
                        .attribute())
                .endsWith("/jsdl:TotalCPUCount");
        assertThat(refusal(
                                resources(
                                        "<CPUArchitecture><CPUArchitectureName>sparc</CPUArchitectureName></CPUArchitecture>"),
                                site(lrm("slurm", 1)))
                        .sentence())
                .contains("x86_64");
    }

    @Test
    void anArchitectureThatEveryMachineHasNeedsNoWish() {
        String document =
                resources("<CPUArchitecture><CPUArchitectureName>x86_64</CPUArchitectureName></CPUArchitecture>");

        assertThat(read(document, site(lrm("slurm", 1))).resources()).isNull();
        assertThat(read(document).resources())
                .isEqualTo(Resources.builder().architecture("x86_64").build());
    }

    @Test
    void severalHostsAreACandidateEach() {
        String document = resources("<CandidateHosts><HostName>n1</HostName><HostName>n2</HostName></CandidateHosts>");

        assertThat(read(document, site(lrm("condor", 1, Resource.HOSTS))).resources())
                .isEqualTo(Resources.builder().hosts(List.of("n1", "n2")).build());
        assertThat(refusal(document, site(lrm("slurm", 1, Resource.HOSTS))).sentence())
                .contains("all hosts that it names");
    }

    @Test
    void aTimeIsLimitedByTheEndOfItsRange() {
        assertThat(read(resources(
                                "<IndividualCPUTime><Range><LowerBound>5</LowerBound><UpperBound>60.5</UpperBound></Range></IndividualCPUTime>"))
                        .maxCpuTime())
                .isEqualTo(Duration.ofSeconds(61));
        assertThat(read(resources("<TotalCPUTime><LowerBoundedRange>60</LowerBoundedRange></TotalCPUTime>"))
                        .maxCpuTime())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "IndividualCPUSpeed",
                "IndividualNetworkBandwidth",
                "IndividualVirtualMemory",
                "IndividualDiskSpace",
                "TotalVirtualMemory",
                "TotalDiskSpace"
            })
    void whatNoLrmGivesIsRefusedUnlessAnythingWillDo(String name) {
        String begin = "<" + name + "><LowerBoundedRange>";
        String end = "</LowerBoundedRange></" + name + ">";

        assertThat(refusal(resources(begin + 1 + end)).attribute()).endsWith("/jsdl:Resources/jsdl:" + name);
        assertThat(read(resources(begin + 0 + end)).resources()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"LINUX, Linux", "MACOS, Darwin", "Solaris, SunOS"})
    void anOperatingSystemIsAskedForAsUnameSaysIt(String name, String expected) {
        assertThat(read(resources("<OperatingSystem><OperatingSystemType><OperatingSystemName>" + name
                                + "</OperatingSystemName></OperatingSystemType></OperatingSystem>"))
                        .resources())
                .isEqualTo(Resources.builder().operatingSystem(expected).build());
    }

    @ParameterizedTest
    @CsvSource({"WINNT, UNSUPPORTED_FEATURE", "Plan9, INVALID_DESCRIPTION"})
    void otherOperatingSystemsAreRefused(String name, FaultCode code) {
        assertThat(refusal(resources("<OperatingSystem><OperatingSystemType><OperatingSystemName>" + name
                                + "</OperatingSystemName></OperatingSystemType></OperatingSystem>"))
                        .code())
                .isEqualTo(code);
    }
}
