// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.JobDescription;
import org.jobgate.jobs.FilePassword;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.lrm.LrmCapabilities;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes at all are a document or are refused; and what was read survives being written.
 *
 * <p>The test replays some documents. To fuzz, give this class to Jazzer as its target class (docs/reference/jsdl.md says how).
 */
public class JsdlReaderFuzzTest {

    private static final JobLimits LIMITS = JobLimits.defaults().with(new Limit("limits.maxGroupElements", 100));

    private static final JsdlSite SITE = new JsdlSite(Documents.FILE_SYSTEMS, LrmCapabilities.UNKNOWN, true);

    /** Jazzer's entry point. */
    public static void fuzzerTestOneInput(byte[] data) {
        try {
            JsdlDocument document = Documents.reader().read(data);
            if (document.isSweep()) {
                GroupTemplate group = document.group(SITE, LIMITS).template();
                assertThat(group.element(group.indexes().size() - 1)).isNotNull();
            }
            JobDescription job = document.job(SITE).description();
            String written = new JsdlWriter(Documents.FILE_SYSTEMS).text(job);
            assertThat(Documents.read(written)).isEqualTo(FilePassword.without(job));
        } catch (FaultException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    static List<String> documents() {
        return List.of(
                "",
                "<",
                "<JobDefinition xmlns='" + Names.JSDL + "'/>",
                "<!DOCTYPE a><a/>",
                Documents.posix("<p:Argument>a&#13;b</p:Argument><p:Environment name=''>x</p:Environment>", ""),
                Documents.posix("<p:Environment name='a=b'>x</p:Environment>", ""),
                Documents.posix(
                        "<p:WallTimeLimit>1</p:WallTimeLimit>",
                        "<jg:Job><jg:MaxWallTime>PT0.5S</jg:MaxWallTime></jg:Job>"),
                Documents.posix("", "<jg:Job><jg:Count>0</jg:Count></jg:Job>"),
                Documents.posix("", "<jg:Job><jg:Gpus model='; rm'>1</jg:Gpus></jg:Job>"),
                Documents.posix("", "<jg:Job><jg:Extensions><jg:Extension/></jg:Extensions></jg:Job>"),
                Documents.resources("<TotalCPUCount><Exact epsilon='INF'>1</Exact></TotalCPUCount>"),
                Documents.resources("<IndividualCPUTime><Exact>1e299</Exact></IndividualCPUTime>"),
                Documents.staging("<FileName>%ff\u0080</FileName><CreationFlag>overwrite</CreationFlag>"
                        + "<Source><URI>x:%</URI></Source>"),
                Documents.staging(
                        "<FileName>f</FileName><CreationFlag>overwrite</CreationFlag><Source><URI>ftp://h/x</URI></Source>"
                                + "<a:Credential><w:UsernameToken><w:Username>u</w:Username><w:Password>p</w:Password>"
                                + "</w:UsernameToken></a:Credential>"),
                Documents.definition(
                        "<Application><p:POSIXApplication><p:Executable>/bin/date</p:Executable><p:Argument>1</p:Argument>"
                                + "</p:POSIXApplication></Application>",
                        "<s:Sweep xmlns:s='http://schemas.ogf.org/jsdl/2009/03/sweep'"
                                + " xmlns:f='http://schemas.ogf.org/jsdl/2009/03/sweep/functions'><s:Assignment><s:DocumentNode>"
                                + "<s:NamespaceBinding ns='http://schemas.ggf.org/jsdl/2005/11/jsdl-posix' prefix='px'/>"
                                + "<s:Match>//px:Argument[1]</s:Match></s:DocumentNode><f:LoopDouble start='0' end='1' step='.1'>"
                                + "<f:Exception>.3</f:Exception></f:LoopDouble></s:Assignment></s:Sweep>"),
                Documents.staging(
                                "<FileName>f</FileName><CreationFlag>overwrite</CreationFlag><Source><URI>x:y</URI></Source>")
                        .replace(
                                "</JobDefinition>",
                                "<s:Sweep><s:Assignment><fs:FileSweep xmlns:fs='http://schemas.ogf.org/jsdl/2009/03/file-sweep'>"
                                        + "<fs:TemplateFile><FileName>f</FileName></fs:TemplateFile><fs:FileToken value='@'/>"
                                        + "</fs:FileSweep><f:LoopInteger start='1' end='3'/></s:Assignment></s:Sweep></JobDefinition>"),
                Documents.spmd("<m:SPMDVariation>x</m:SPMDVariation>", ""));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aDocumentIsReadOrRefused(String document) {
        fuzzerTestOneInput(document.getBytes(StandardCharsets.UTF_8));
    }
}
