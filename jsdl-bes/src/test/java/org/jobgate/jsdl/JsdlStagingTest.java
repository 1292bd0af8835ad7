// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.jobgate.jsdl.Documents.posix;
import static org.jobgate.jsdl.Documents.read;
import static org.jobgate.jsdl.Documents.refusal;
import static org.jobgate.jsdl.Documents.staging;

import java.util.List;
import java.util.Map;
import org.jobgate.job.CreationFlag;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.jobs.FilePassword;
import org.jobgate.lrm.LrmCapabilities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are staged, and where they may lie. */
class JsdlStagingTest {

    private static final String FLAG = "<CreationFlag>overwrite</CreationFlag>";
    private static final String SOURCE = "<Source><URI>https://host/in</URI></Source>";
    private static final String CREDENTIAL = "<a:Credential><w:UsernameToken><w:Username>u</w:Username>"
            + "<w:Password>s3cret</w:Password></w:UsernameToken></a:Credential>";

    private static TransferList files(String document) {
        return read(document).transfers();
    }

    @Test
    void aFileIsFetchedSentAndDeleted() {
        TransferList files =
                files(staging("<FileName>a b</FileName>" + FLAG + "<DeleteOnTermination>true</DeleteOnTermination>"
                        + SOURCE + "<Target><URI>https://host/out</URI></Target>"));

        assertThat(files.stageIn()).containsExactly(new Transfer("https://host/in", "file:///home/alice/a%20b"));
        assertThat(files.stageOut()).containsExactly(new Transfer("file:///home/alice/a%20b", "https://host/out"));
        assertThat(files.cleanUp()).containsExactly("file:///home/alice/a%20b");
    }

    @Test
    void aFileGoesToSeveralPlaces() {
        String one = "<DataStaging name='x'><FileName>f</FileName>" + FLAG + "<Target><URI>https://host/";
        String end = "</URI></Target></DataStaging>";

        assertThat(files(posix("", one + "1" + end + one + "2" + end)).stageOut())
                .extracting(Transfer::destination)
                .containsExactly("https://host/1", "https://host/2");
    }

    @Test
    void twoSourcesOfOneFileAreRefused() {
        String one = "<DataStaging><FileName>f</FileName>" + FLAG + SOURCE + "</DataStaging>";

        assertThat(refusal(posix("", one + one)).attribute()).endsWith("/jsdl:DataStaging[2]/jsdl:Source");
    }

    @ParameterizedTest
    @CsvSource({
        "HOME, f, /home/alice/f",
        "TMP, d/f, /tmp/d/f",
        "SCRATCH, f, /scratch/alice/f",
        "ROOT, etc/f, /etc/f",
        "data, f, /srv/data/f"
    })
    void aFileLiesInTheFileSystemThatItNames(String fileSystem, String name, String path) {
        assertThat(files(staging("<FileName>" + name + "</FileName><FilesystemName>" + fileSystem + "</FilesystemName>"
                                + FLAG + SOURCE))
                        .stageIn())
                .extracting(Transfer::destination)
                .containsExactly("file://" + path);
    }

    @Test
    void aFileLiesInTheWorkingDirectory() {
        String file = "<DataStaging><FileName>f</FileName>" + FLAG + SOURCE + "</DataStaging>";

        assertThat(files(posix("<p:WorkingDirectory>/work/x</p:WorkingDirectory>", file))
                        .stageIn())
                .extracting(Transfer::destination)
                .containsExactly("file:///work/x/f");
        assertThat(files(posix("<p:WorkingDirectory>w</p:WorkingDirectory>", file))
                        .stageIn())
                .extracting(Transfer::destination)
                .containsExactly("file:///home/alice/w/f");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../f", "a/../../f", "./f", "/etc/passwd", "/home/alice/../bob/f", "/home/alicex/f", ""})
    void aFileOutsideIsRefused(String name) {
        Fault fault = refusal(staging("<FileName>" + name + "</FileName>" + FLAG + SOURCE));

        assertThat(fault.code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        assertThat(fault.attribute()).endsWith("/jsdl:DataStaging/jsdl:FileName");
    }

    @ParameterizedTest
    @CsvSource({"HOME, /f", "HOME, ../f", "nowhere, f"})
    void aNameInAFileSystemStaysInIt(String fileSystem, String name) {
        assertThat(refusal(staging("<FileName>" + name + "</FileName><FilesystemName>" + fileSystem
                                + "</FilesystemName>" + FLAG + SOURCE))
                        .sentence())
                .contains("jsdl:FileName");
    }

    @Test
    void aDocumentNamesPlacesInFileSystems() {
        String staged = "<DataStaging><FileName>f</FileName><FilesystemName>run</FilesystemName>" + FLAG + SOURCE
                + "</DataStaging>";
        String begin = "<Resources><FileSystem name='run'><FileSystemType>temporary</FileSystemType><MountPoint>";
        String end = "</MountPoint></FileSystem></Resources>";

        assertThat(files(posix("", begin + "/tmp/run/" + end + staged)).stageIn())
                .extracting(Transfer::destination)
                .containsExactly("file:///tmp/run/f");
        assertThat(refusal(posix("", begin + "/etc" + end + staged)).attribute())
                .endsWith("/jsdl:MountPoint");
        assertThat(refusal(posix("", begin + "/tmp/../etc" + end + staged)).attribute())
                .endsWith("/jsdl:MountPoint");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<FileSystem name='HOME'><MountPoint>/elsewhere</MountPoint></FileSystem>|/jsdl:MountPoint",
                "<FileSystem name='nowhere'/>|/jsdl:FileSystem",
                "<FileSystem/>|/jsdl:FileSystem",
                "<FileSystem name='x'><FileSystemType>swap</FileSystemType></FileSystem>|/jsdl:FileSystemType",
                "<FileSystem name='HOME'><DiskSpace><LowerBoundedRange>5</LowerBoundedRange></DiskSpace></FileSystem>|/jsdl:DiskSpace",
                "<FileSystem name='HOME'/><FileSystem name='HOME'/>|/jsdl:FileSystem[2]"
            })
    void aFileSystemThatIsNotThereIsRefused(String fileSystem, String path) {
        assertThat(refusal(posix("", "<Resources>" + fileSystem + "</Resources>"))
                        .attribute())
                .endsWith(path);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<CreationFlag>Append</CreationFlag>|INVALID_DESCRIPTION|/jsdl:CreationFlag",
                "<CreationFlag>maybe</CreationFlag>|INVALID_DESCRIPTION|/jsdl:CreationFlag",
                "''|INVALID_DESCRIPTION|/jsdl:DataStaging"
            })
    void aCreationFlagIsOneOfThree(String flag, FaultCode code, String path) {
        Fault fault = refusal(staging("<FileName>f</FileName>" + flag + SOURCE));

        assertThat(fault.code()).isEqualTo(code);
        assertThat(fault.attribute()).endsWith(path);
    }

    @ParameterizedTest
    @CsvSource({"overwrite,", "append,append", "dontOverwrite,dontOverwrite"})
    void theFlagIsForTheFileThatTheElementMakes(String flag, String option) {
        Map<String, String> expected = option == null ? Map.of() : Map.of(CreationFlag.OPTION, option);
        String element = "<FileName>f</FileName><CreationFlag>" + flag + "</CreationFlag>";
        String target = "<Target><URI>sftp://host/out</URI></Target>";

        TransferList sent = read(staging(element + target)).transfers();
        TransferList both = read(staging(element + SOURCE + target)).transfers();

        assertThat(sent.stageOut().getFirst().options()).isEqualTo(expected);
        assertThat(both.stageIn().getFirst().options()).isEqualTo(expected);
        assertThat(both.stageOut().getFirst().options())
                .as("the file is fetched, so the flag is for that")
                .isEmpty();
        for (JobDescription job : List.of(read(staging(element + target)), read(staging(element + SOURCE)))) {
            String written = new JsdlWriter(Documents.FILE_SYSTEMS).text(job);
            assertThat(written).contains("CreationFlag>" + flag + "</").doesNotContain(Names.OWN, CreationFlag.OPTION);
            assertThat(read(written)).isEqualTo(job);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Source/>",
                "<Source><URI/></Source>",
                "<Source><URI>in</URI></Source>",
                "<Source><URI>ftp://u:p@host/f</URI></Source>"
            })
    void aSourceHasAUriWithoutAPassword(String source) {
        Fault fault = refusal(staging("<FileName>f</FileName>" + FLAG + source));

        assertThat(fault.attribute()).contains("/jsdl:DataStaging/jsdl:Source");
        assertThat(fault.toString()).doesNotContain("u:p");
    }

    @Test
    void aCredentialIsReadAndNotShown() {
        String two = "<DataStaging><FileName>g</FileName>" + FLAG + "<Target><URI>https://host/out</URI></Target>"
                + CREDENTIAL.replace("s3cret", "0ther") + "</DataStaging>";
        String document =
                posix("", "<DataStaging><FileName>f</FileName>" + FLAG + SOURCE + CREDENTIAL + "</DataStaging>" + two);
        JsdlJob job = Documents.reader()
                .read(document)
                .job(new JsdlSite(Documents.FILE_SYSTEMS, LrmCapabilities.UNKNOWN, true));

        assertThat(job.passwords()).containsExactly(new FilePassword("u", "s3cret"), new FilePassword("u", "0ther"));
        TransferList files = job.description().transfers();
        assertThat(files.stageIn().getFirst().options()).containsExactly(entry(FilePassword.OPTION, "1"));
        assertThat(files.stageOut().getFirst().options()).containsExactly(entry(FilePassword.OPTION, "2"));
        assertThat(job.toString()).doesNotContain("s3cret").doesNotContain("0ther");
    }

    /** Who is shown the document of such a job sees its files, and nothing of the passwords, not even that there are some. */
    @Test
    void aDocumentThatIsWrittenHasNoCredential() {
        JobDescription job = Documents.reader()
                .read(staging("<FileName>f</FileName>" + FLAG + SOURCE + CREDENTIAL))
                .job(new JsdlSite(Documents.FILE_SYSTEMS, LrmCapabilities.UNKNOWN, true))
                .description();
        String written = new JsdlWriter(Documents.FILE_SYSTEMS).text(job);

        assertThat(written).contains("https://host/in").doesNotContain("s3cret", "sealedPassword", "Credential");
        assertThat(read(written)).isEqualTo(FilePassword.without(job));
    }

    @ParameterizedTest
    @ValueSource(strings = {"<w:Username></w:Username>", "<w:Username>a&#10;b</w:Username>"})
    void aNameThatCouldBeACommandIsRefused(String name) {
        String document = staging(
                "<FileName>f</FileName>" + FLAG + SOURCE + CREDENTIAL.replace("<w:Username>u</w:Username>", name));
        Fault fault = refusal(document, new JsdlSite(Documents.FILE_SYSTEMS, LrmCapabilities.UNKNOWN, true));

        assertThat(fault.code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        assertThat(fault.attribute()).contains("/jsdl:DataStaging/ac:Credential");
        assertThat(fault.toString()).doesNotContain("s3cret");
    }

    @Test
    void aCredentialThatNobodyTakesIsRefusedAndNotShown() {
        Fault fault = refusal(staging("<FileName>f</FileName>" + FLAG + SOURCE + CREDENTIAL));

        assertThat(fault.code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
        assertThat(fault.attribute()).endsWith("/jsdl:DataStaging/ac:Credential");
        assertThat(fault.toString()).doesNotContain("s3cret");
    }
}
