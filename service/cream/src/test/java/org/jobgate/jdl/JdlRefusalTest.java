// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.limits.JobLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused, and with which words. */
class JdlRefusalTest {

    /** The causes are those of CREAM, where it has the rule; the others say what is wrong in the same form. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Type = \"DAG\"|Type \"DAG\" not allowed",
                "JobType = \"MPICH\"|JobType \"MPICH\" not allowed",
                "StdOutput = \"/tmp/out\"|StdOutput: absolute path not allowed",
                "StdError = \"$HOME/err\"|StdError: absolute path not allowed",
                "StdError = \"../err\"|StdError: '..' is not allowed in a path",
                "StdOutput = \"out/\"|StdOutput: directory path not allowed",
                "StdOutput = \"o*\"|StdOutput: wildcards not allowed",
                "StdInput = \"a/b\"|StdInput: relative path not allowed",
                "StdInput = \"in\"|StdInput: the file in must be listed in the InputSandbox",
                "Prologue = \"pre.sh\"|Prologue: the file pre.sh must be listed in the InputSandbox",
                "Arguments = \"a 'b\"|Arguments: the quotation mark ' is not closed",
                "Arguments = 5|Arguments: wrong type (expected type: string)",
                "CpuNumber = 0|CpuNumber: the value must be >=1",
                "NodeNumber = -2|NodeNumber: the value must be >=1",
                "CpuNumber = \"2\"|CpuNumber: wrong type (expected type: integer)",
                "CpuNumber = 3000000000|CpuNumber: the value is too large",
                "SMPGranularity = 0|SMPGranularity: the value must be >=1",
                "HostNumber = 0|HostNumber: the value must be >=1",
                "WholeNodes = 1|WholeNodes: wrong type (expected type: boolean)",
                "SMPGranularity = 2; HostNumber = 2|the SMPGranularity and HostNumber attributes cannot be specified together when WholeNodes=false",
                "GPUNumber = 1; GPUMode = \"some\"|GPUMode: the value must be shared, exclusive_process or exclusive_thread",
                "Environment = { \"A\" }|Environment: wrong item A (equality required)",
                "InputSandbox = { \"/a/x\", \"/b/x\" }|InputSandbox: the file list cannot contain two or more files having the same name (even if in different paths)",
                "InputSandbox = { \"/a/*.txt\" }|InputSandbox: wildcards not allowed",
                "InputSandbox = { \"/a/\" }|InputSandbox: directory path not allowed",
                "InputSandbox = { \"50%\" }; InputSandboxBaseURI = \"gsiftp://h/\"|InputSandbox: \"50%\" cannot be read as a URL: a % without two hexadecimal digits behind it (one that is meant is %25)",
                "InputSandbox = { \"ftp://h/x\" }|InputSandbox: the URI \"ftp://h/x\" doesn't present an allowed scheme (gsiftp, file, http, https)",
                "InputSandboxBaseURI = \"srm://h/x\"|InputSandboxBaseURI: the URI \"srm://h/x\" doesn't present an allowed scheme (gsiftp, file, http, https)",
                "OutputSandbox = { \"o\" }|the OutputSandbox attribute requires the specification in the same JDL of one of the following attributes: OutputSandboxDestURI or OutputSandboxBaseDestURI",
                "OutputSandbox = { \"o\" }; OutputSandboxDestURI = { \"gsiftp://h/a\", \"gsiftp://h/b\" }|the OutputSandbox and OutputSandboxDestURI attributes must have the same cardinality",
                "OutputSandbox = { \"o\" }; OutputSandboxBaseDestURI = \"gsiftp://h/\"; OutputSandboxDestURI = { \"gsiftp://h/a\" }|the OutputSandboxDestURI and OutputSandboxBaseDestURI attributes cannot be specified together in the same JDL",
                "OutputSandbox = { \"a/o\", \"b/o\" }; OutputSandboxBaseDestURI = \"gsiftp://localhost\"|OutputSandbox: the file list cannot contain two or more files having the same name (even if in different paths)",
                "OutputSandbox = { \"../o\" }; OutputSandboxBaseDestURI = \"gsiftp://localhost\"|OutputSandbox: '..' is not allowed in a path",
                "OutputSandbox = { \"*/o\" }; OutputSandboxBaseDestURI = \"gsiftp://localhost\"|OutputSandbox: wildcards are allowed in the name of a file only, not in its directory",
                "OutputSandbox = { \"o\" }; OutputSandboxDestURI = { \"gsiftp://localhost/../../x\" }|OutputSandboxDestURI: a path below gsiftp://localhost must not hold empty parts, '.' or '..'",
                "OutputSandbox = { \"o\" }; OutputSandboxDestURI = { \"gsiftp://localhost/%2e%2e/x\" }|OutputSandboxDestURI: a path below gsiftp://localhost must not hold empty parts, '.' or '..'",
                "OutputSandbox = { \"o\" }; OutputSandboxBaseDestURI = \"gsiftp://h/%zz\"|OutputSandboxBaseDestURI: Illegal character for the URI: gsiftp://h/%zz",
                "PerusalFileEnable = true|mandatory attribute \"PerusalFilesDestURI\" not defined!",
                "PerusalFileEnable = true; PerusalTimeInterval = 0|PerusalTimeInterval: the value must be >=1",
                "PerusalFileEnable = true; PerusalFilesDestURI = \"ftp://h/\"; PerusalListFileURI = \"gsiftp://h/l\"|PerusalFilesDestURI: wrong protocol (just gridFTP or https URIs are supported)",
                "PerusalFileEnable = true; PerusalFilesDestURI = \"gsiftp://h/\"; PerusalListFileURI = \"https://h/l\"|PerusalListFileURI: wrong protocol (just gridFTP URIs are supported)",
                "OutputData = 1|Bad format for 'OutputData' jdl attribute.",
                "OutputData = { [ StorageElement = \"se\" ] }|OutputFile is mandatory for the OutputData jdl attribute.",
                "GPUModel = \"a b\"|GPUModel: gpu_model is 'a b'; it must be a name of at most 128 letters, digits and _.- that begins with a letter, a digit or _",
                "Executable = \"/bin/false\"|Unable to parse: the attribute Executable is given twice (line 1, near ' = \"/bin/false\" ]')"
            })
    void aRuleIsSaidAsCreamSaysIt(String attributes, String cause) {
        assertThatThrownBy(() -> JdlTexts.with(attributes)).isInstanceOfSatisfying(FaultException.class, e -> {
            assertThat(e.fault().code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
            assertThat(e.fault().sentence()).isEqualTo(cause);
            assertThat(e.fault().remedy()).isNotBlank();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "PerusalFileEnable = true; PerusalFilesDestURI = \"gsiftp://h/\"; PerusalListFileURI = \"gsiftp://h/l\"|PerusalFileEnable",
                "MaxOutputSandboxSize = 1000.0|MaxOutputSandboxSize",
                "OutputData = { [ OutputFile = \"o\" ] }|OutputData",
                "MICNumber = 1|MICNumber",
                "ReallyRunningToken = \"gsiftp://h/token\"|ReallyRunningToken",
                "StdInput = \"$HOME/in\"|StdInput"
            })
    void whatTheGatewayCannotDoIsRefusedByName(String attributes, String name) {
        assertThatThrownBy(() -> JdlTexts.with(attributes)).isInstanceOfSatisfying(FaultException.class, e -> {
            assertThat(e.fault().code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
            assertThat(e.fault().attribute()).isEqualTo(name);
            assertThat(e.fault().sentence()).startsWith(name + ": not supported here: ");
        });
    }

    @ParameterizedTest
    @CsvSource({"Executable", "BatchSystem", "QueueName"})
    void aMandatoryAttributeMustBeThere(String name) {
        String whole = "Executable = \"/bin/true\"; BatchSystem = \"pbs\"; QueueName = \"long\"";
        JdlReader reader = new JdlReader(JobLimits.defaults());

        assertThat(reader.readAddressed(whole).queue()).isEqualTo("long");
        assertThatThrownBy(() -> reader.readAddressed(whole.replace(name, "X")))
                .hasMessage("mandatory attribute \"" + name + "\" not defined!");
        assertThatThrownBy(() -> reader.readAddressed(whole.replaceAll(name + " = \"[^\"]*\"", name + " = \"\"")))
                .hasMessage("mandatory attribute \"" + name + "\" not defined!");
    }

    @Test
    void aTextThatIsTooLongIsRefusedByItsLimit() {
        assertThatThrownBy(() -> JdlTexts.with("Arguments = \"" + "x".repeat(70_000) + "\""))
                .hasMessageContaining("limits.maxTextBytes");
        assertThatThrownBy(() -> JdlTexts.with("Arguments = \"" + "x".repeat(2_000_000) + "\""))
                .hasMessageContaining("limits.maxDescriptionBytes");
        assertThatThrownBy(() -> JdlTexts.with("InputSandbox = {" + "\"x\",".repeat(5_000) + "}"))
                .hasMessageContaining("limits.maxArguments");
        assertThatThrownBy(() -> JdlTexts.with("Environment = {" + "\"A=1\",".repeat(2_000) + "}"))
                .hasMessageContaining("limits.maxEnvironment");
        assertThatThrownBy(() -> JdlTexts.with("Arguments = \"" + "x ".repeat(5_000) + "\""))
                .hasMessageContaining("limits.maxArguments");
    }
}
