// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.cli.cream.CreamStub.TYPES;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.jobgate.cli.wire.XmlElement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands against a service that answers as the WSDL says. What they print is compared letter by letter: programs read it. */
class CreamCommandsTest extends CreamCommandRoom {

    @Test
    void submitSendsTheDescriptionAndPrintsTheId() throws IOException {
        answerRegister("");
        Path jdl = jdl("executable = \"/bin/echo\"; # comment\nArguments = \"a; b\"; QueueName = \"old\";");
        Path ids = folder.resolve("ids");

        assertThat(run(
                        CreamPages.SUBMIT,
                        "-r",
                        stub.contact() + "/cream-pbs-long",
                        "-D",
                        "mydeleg",
                        "-L",
                        "mine",
                        "-o",
                        ids.toString(),
                        jdl.toString()))
                .as(errors())
                .isZero();

        assertThat(out()).isEqualTo(id("123456789") + "\n");
        assertThat(ids).hasContent("##CREAMJOBS##\n" + id("123456789"));
        XmlElement job = stub.request("JobRegisterRequest").children().getFirst();
        assertThat(job.childText(TYPES, "JDL"))
                .isEqualTo(
                        "[ executable = \"/bin/echo\"; Arguments = \"a; b\"; QueueName = \"long\"; BatchSystem = \"pbs\"; ]");
        assertThat(job.childText(TYPES, "delegationId")).isEqualTo("mydeleg");
        assertThat(job.childText(TYPES, "leaseId")).isEqualTo("mine");
        // sent again on a broken connection it is the same job
        assertThat(job.attribute("", "jobDescriptionId")).matches("[0-9a-f-]{36}");
        // nothing is to be brought: one call does it all
        assertThat(job.childText(TYPES, "autoStart")).isEqualTo("true");
        assertThat(stub.operations()).containsExactly("JobRegisterRequest");
    }

    @Test
    void submitBringsItsFilesBeforeTheJobStarts() throws IOException {
        answerRegister("<property><name>CREAMInputSandboxURI</name><value>https://" + stub.contact()
                + "/jobs/1/files/ISB</value></property>");
        byte[] large = new byte[2_500_000];
        new Random(1).nextBytes(large);
        Files.write(folder.resolve("in put"), large);
        Files.createFile(folder.resolve("empty"));
        Path jdl = jdl("[ Executable = \"/bin/cat\"; InputSandbox = { \"" + folder.resolve("in put") + "\", \"file://"
                + folder.resolve("empty") + "\", \"gsiftp://se/x\" } ]");

        assertThat(run(CreamPages.SUBMIT, "-r", stub.contact() + "/cream-pbs-long", "-Dmydeleg", jdl.toString()))
                .as(errors())
                .isZero();

        assertThat(stub.files().get("/jobs/1/files/ISB/in%20put")).isEqualTo(large);
        assertThat(stub.files().get("/jobs/1/files/ISB/empty")).isEmpty();
        assertThat(stub.operations()).containsExactly("JobRegisterRequest", "JobStartRequest");
        XmlElement job = stub.request("JobRegisterRequest").children().getFirst();
        assertThat(job.childText(TYPES, "autoStart")).isEqualTo("false");
        assertThat(job.childText(TYPES, "JDL"))
                .contains("InputSandbox = { \"" + folder.resolve("in put") + "\", \"" + folder.resolve("empty")
                        + "\", \"gsiftp://se/x\" }");
    }

    /** Else a service could have the user's credential shown to another one. */
    @Test
    void submitBringsNothingToAnotherHost() throws IOException {
        answerRegister("<property><name>CREAMInputSandboxURI</name><value>https://elsewhere:1/x</value></property>");
        Files.createFile(folder.resolve("in"));
        Path jdl = jdl("Executable = \"/bin/cat\"; InputSandbox = \"" + folder.resolve("in") + "\";");

        assertThat(run(CreamPages.SUBMIT, "-r", stub.contact() + "/cream-pbs-long", "-D", "d", jdl.toString()))
                .isEqualTo(1);

        assertThat(errors())
                .contains("is registered and not started", "a sandbox that is not its own", "https://elsewhere:1/x");
        assertThat(out()).isEmpty();
        assertThat(stub.operations()).doesNotContain("JobStartRequest");
    }

    @Test
    void submitDelegatesAProxyOnceForAllJobs() throws Exception {
        answerRegister("");
        stub.answer(
                "getProxyReq",
                "<d:getProxyReqResponse xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"><getProxyReqReturn>"
                        + Requests.pem() + "</getProxyReqReturn></d:getProxyReqResponse>");
        stub.answer("putProxy", "<d:putProxyResponse xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"/>");
        Path jdl = jdl("Executable = \"/bin/true\";");

        assertThat(run(
                        CreamPages.SUBMIT,
                        "-a",
                        "--resource=" + stub.contact() + "/cream-pbs-long",
                        jdl.toString(),
                        jdl.toString()))
                .as(errors())
                .isZero();

        assertThat(stub.operations())
                .containsExactly("getProxyReq", "putProxy", "JobRegisterRequest", "JobRegisterRequest");
        String id = stub.request("getProxyReq").childText("", "delegationID");
        assertThat(id).matches("[0-9a-f]{40}");
        assertThat(stub.request("putProxy").childText("", "delegationID")).isEqualTo(id);
        // the new proxy, ours, and the certificate that it was made of
        assertThat(stub.request("putProxy").childText("", "proxy"))
                .isNotNull()
                .satisfies(chain ->
                        assertThat(chain.split("BEGIN CERTIFICATE", -1)).hasSize(4));
        assertThat(stub.request("JobRegisterRequest").children().getFirst().childText(TYPES, "delegationId"))
                .isEqualTo(id);
    }

    @Test
    void statusIsShownAsProgramsReadIt() {
        stub.answer(
                "JobStatus",
                element(
                        "JobStatusResponse",
                        "<result jobDescriptionId=\"x\"><jobStatus>" + jobId("1") + "<name>DONE-FAILED</name>"
                                + "<timestamp>2008-01-22T15:55:08Z</timestamp><exitCode>3</exitCode>"
                                + "<failureReason>no \u001b[2J room</failureReason></jobStatus></result>"
                                        .replace("\u001b", "&#x9b;")
                                + "<result jobDescriptionId=\"x\"><jobStatus>" + jobId("2") + "<name>RUNNING</name>"
                                + "<timestamp>2008-01-22T15:55:08Z</timestamp></jobStatus></result>"
                                + "<result jobDescriptionId=\"" + id("3") + "\">" + fault("JobUnknownFault")
                                + "</result>"));

        assertThat(run(CreamPages.STATUS, id("1"), id("2"), id("3")))
                .as(errors())
                .isZero();

        assertThat(out())
                .isEqualTo("\n******  JobID=[" + id("1") + "]\n\tStatus        = [DONE-FAILED]\n"
                        + "\tExitCode      = [3]\n\tFailureReason = [no ?[2J room]\n\n\n\n******  JobID=["
                        + id("2")
                        + "]\n\tStatus        = [RUNNING]\n\n\n\n******  JobID=[" + id("3")
                        + "]\n\tFor this job CREAM has returned a fault: MethodName=[jobStatus] ErrorCode=[1]"
                        + " Description=[job not found!] FaultCause=[N/A] Timestamp=[Tue Jan 22 15:55:08 2008]\n\n\n");
        assertThat(stub.request("JobStatusRequest").children()).hasSize(3);
    }

    @Test
    void statusOfLevelsOneAndTwoHasHistoryAndCommands() {
        stub.answer(
                "JobInfo",
                element(
                        "JobInfoResponse",
                        "<result jobDescriptionId=\"x\"><jobInfo>" + jobId("1")
                                + "<GridJobId>N/A</GridJobId><LRMSAbsLayerJobId>[reserved]</LRMSAbsLayerJobId><LRMSJobId>[reserved]</LRMSJobId>"
                                + "<delegationProxyId>d</delegationProxyId><delegationProxyInfo>one\ntwo</delegationProxyInfo>"
                                + "<workerNode>n1</workerNode><localUser>alice</localUser><workingDirectory>[reserved]</workingDirectory>"
                                + "<CREAMInputSandboxURI>gsiftp://h/ISB</CREAMInputSandboxURI><CREAMOutputSandboxURI>gsiftp://h/OSB</CREAMOutputSandboxURI>"
                                + "<JDL>[ a = 1 ]</JDL><type>normal</type><lease><leaseId>l</leaseId><leaseTime>2008-01-22T16:00:00Z</leaseTime></lease>"
                                + "<status>" + jobId("1")
                                + "<name>REGISTERED</name><timestamp>2008-01-22T15:55:08Z</timestamp></status>"
                                + "<status>" + jobId("1")
                                + "<name>DONE-OK</name><timestamp>2008-01-22T15:56:08Z</timestamp><exitCode>0</exitCode></status>"
                                + "<lastCommand><id>7</id><name>JOB_REGISTER</name><category>JOB_MANAGEMENT</category>"
                                + "<status>SUCCESSFULL</status><creationTime>2008-01-22T15:55:08Z</creationTime></lastCommand>"
                                + "</jobInfo></result>"));

        assertThat(run(CreamPages.STATUS, "-L2", id("1"))).as(errors()).isZero();

        assertThat(out())
                .isEqualTo("\n******  JobID=[" + id("1")
                        + "]\n\tCurrent Status = [DONE-OK]\n\tWorking Dir    = [[reserved]]\n\tExitCode       = [0]\n"
                        + "\tGrid JobID     = [N/A]\n\tLRMS Abs JobID = [[reserved]]\n\tLRMS JobID     = [[reserved]]\n"
                        + "\tDeleg Proxy ID = [d]\n\tDelegProxyInfo = [one\n\t\t\t  two]\n\tWorker Node    = [n1]\n"
                        + "\tLocal User     = [alice]\n\tCREAM ISB URI  = [gsiftp://h/ISB]\n\tCREAM OSB URI  = [gsiftp://h/OSB]\n"
                        + "\tJDL            = [[ a = 1 ]]\n\tType           = [normal]\n\tLease ID       = [l]\n"
                        + "\tLease Time     = [Tue 22 Jan 2008 16:00:00] (1201017600)\n"
                        + "\n\tJob status changes:\n\t-------------------\n"
                        + "\tStatus         = [REGISTERED] - [Tue 22 Jan 2008 15:55:08] (1201017308)\n"
                        + "\tStatus         = [DONE-OK] - [Tue 22 Jan 2008 15:56:08] (1201017368)\n"
                        + "\n\tIssued Commands:\n\t-------------------\n\n"
                        + "\t*** Command Name              = [JOB_REGISTER]\n\t    Command Id                = [7]\n"
                        + "\t    Command Category          = [JOB_MANAGEMENT]\n\t    Command Status            = [SUCCESSFULL]\n"
                        + "\t    Creation Time             = [Tue 22 Jan 2008 15:55:08] (1201017308)\n\n");
        assertThat(run(CreamPages.STATUS, "--level=1", id("1"))).isZero();
        assertThat(out()).contains("Job status changes:", "JOB_REGISTER").doesNotContain("JDL  ", "Creation Time");
    }

    @Test
    void statusOfAllJobsHasFilters() throws IOException {
        stub.answer("JobStatus", element("JobStatusResponse", ""));

        assertThat(run(
                        CreamPages.STATUS,
                        "-a",
                        "-e",
                        stub.contact(),
                        "-s",
                        "IDLE:RUNNING",
                        "-f",
                        "2026-11-01 00:00:00",
                        "-t",
                        "2026-11-02 12:30:00"))
                .as(errors())
                .isZero();

        XmlElement request = stub.request("JobStatusRequest");
        assertThat(request.children().stream().map(child -> child.name() + "=" + child.text()))
                .containsExactly(
                        "status=IDLE",
                        "status=RUNNING",
                        "fromDate=2026-11-01T00:00:00Z",
                        "toDate=2026-11-02T12:30:00Z");
    }

    @Test
    void jobsAreOrderedAfterAQuestion() throws IOException {
        stub.answer(
                "JobCancel",
                element(
                        "JobCancelResponse",
                        "<result>" + jobId("1") + "</result><result>" + jobId("2") + fault("JobStatusInvalidFault")
                                + "</result>"));
        Path ids = Files.writeString(folder.resolve("ids"), "##CREAMJOBS##\n" + id("1") + "\n" + id("2"));

        answer = "n\n";
        assertThat(run(CreamPages.CANCEL, "-i", ids.toString())).isEqualTo(1);
        assertThat(out()).contains("Are you sure you want to cancel specified job(s) [y/n]: Cancel aborted. Bye.");
        assertThat(stub.operations()).isEmpty();

        assertThat(run(CreamPages.CANCEL, "-N", "-i", ids.toString())).isEqualTo(1);
        assertThat(stub.request("JobCancelRequest").children()).hasSize(2);
        assertThat(errors())
                .startsWith("2026-11-25 03:00:00,000 ERROR - JobID=[" + id("2") + "] MethodName=[jobStatus]")
                .doesNotContain(id("1"));
        assertThat(out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"glite-ce-job-suspend, JobSuspend", "glite-ce-job-resume, JobResume", "glite-ce-job-purge, JobPurge"})
    void theOtherOrdersAreGiven(String command, String operation) {
        stub.answer(operation, element(operation + "Response", "<result>" + jobId("1") + "</result>"));

        assertThat(run(command, "--noint", id("1"))).as(errors()).isZero();

        assertThat(stub.operations()).containsExactly(operation + "Request");
    }

    @Test
    void listPrintsOrKeepsTheIds() throws IOException {
        stub.answer(
                "JobList",
                element(
                        "JobListResponse",
                        (jobId("1") + jobId("2")).replace("<jobId>", "<result>").replace("</jobId>", "</result>")));
        Path ids = Files.writeString(folder.resolve("ids"), "##CREAMJOBS##\n" + id("1"));

        assertThat(run(CreamPages.LIST, stub.contact())).as(errors()).isZero();
        assertThat(out()).isEqualTo(id("1") + "\n" + id("2") + "\n");
        assertThat(run(CreamPages.LIST, "-o", ids.toString(), stub.contact())).isZero();
        assertThat(ids).hasContent("##CREAMJOBS##\n" + id("1") + "\n" + id("2"));
    }

    @Test
    void outputIsNeverFetchedInPartWithoutAWord() {
        stub.listWithoutEnd();
        stub.answer("JobInfo", info("DONE-OK"));

        assertThat(run(CreamPages.OUTPUT, "-N", "-D", folder.toString(), id("1")))
                .isEqualTo(1);
        assertThat(errors()).contains("it has more than 100000 entries");
    }

    @Test
    void outputIsFetchedOfJobsThatAreOver() throws IOException {
        byte[] large = new byte[1_500_000];
        new Random(2).nextBytes(large);
        stub.files().put("/jobs/1/files/OSB/out%20put", large);
        stub.files().put("/jobs/1/files/OSB/deep/er/one", new byte[] {1});
        stub.files().put("/jobs/1/files/OSB/..%2fevil", new byte[0]);
        stub.answer("JobInfo", info("DONE-OK"));

        assertThat(run(CreamPages.OUTPUT, "-N", "-D", folder.toString(), id("1")))
                .isEqualTo(1);
        assertThat(errors()).contains("names a file that cannot be: ..%2fevil");
        stub.files().remove("/jobs/1/files/OSB/..%2fevil");
        assertThat(run(CreamPages.OUTPUT, "-N", "-D", folder.toString(), id("1")))
                .as(errors())
                .isZero();

        Path into = folder.resolve(id("1").replace("https://", "").replaceAll("[/:]", "_"));
        assertThat(into.resolve("out put")).hasBinaryContent(large);
        assertThat(into.resolve("deep/er/one")).hasBinaryContent(new byte[] {1});
        assertThat(errors()).contains("INFO - For JobID [" + id("1") + "] output will be stored in the dir " + into);

        stub.answer("JobInfo", info("RUNNING"));
        assertThat(run(CreamPages.OUTPUT, "-N", "-D", folder.toString(), id("1")))
                .isEqualTo(1);
        assertThat(errors()).contains("is not over");
    }

    private String info(String state) {
        return element(
                "JobInfoResponse",
                "<result jobDescriptionId=\"x\"><jobInfo>" + jobId("1") + "<CREAMOutputSandboxURI>https://"
                        + stub.contact() + "/jobs/1/files/OSB</CREAMOutputSandboxURI><status>" + jobId("1") + "<name>"
                        + state + "</name><timestamp>2008-01-22T15:55:08Z</timestamp></status></jobInfo></result>");
    }
}
