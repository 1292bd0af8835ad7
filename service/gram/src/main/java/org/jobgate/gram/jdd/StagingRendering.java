// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.jobgate.gt4.Generation;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.xml.XmlWriter;

/** Writes the files of a job as RFT's requests, in the order of its schema. */
final class StagingRendering {

    private final Generation generation;

    StagingRendering(Generation generation) {
        this.generation = generation;
    }

    void write(XmlWriter out, JobDescription job) {
        TransferList files = job.transfers();
        writeCopies(out, job, "fileStageIn", files.stageIn(), files.stageInOptions());
        writeCopies(out, job, "fileStageOut", files.stageOut(), files.stageOutOptions());
        if (!files.cleanUp().isEmpty()) {
            begin(out, job, "fileCleanUp", files.cleanUpOptions());
            files.cleanUp()
                    .forEach(url -> out.open(generation.transfer("deletion"))
                            .element(generation.transfer("file"), JddRenderer.escaped(url))
                            .close());
            writeOptions(out, "deleteOptions", StagingOptions.OF_DELETING, files.cleanUpOptions());
            out.close();
        }
    }

    private void writeCopies(
            XmlWriter out, JobDescription job, String use, List<Transfer> copies, Map<String, String> options) {
        if (copies.isEmpty()) {
            return;
        }
        begin(out, job, use, options);
        copies.forEach(copy -> writeCopy(out, copy));
        writeOptions(out, "rftOptions", StagingOptions.OF_COPYING, options);
        writeOption(out, StagingOptions.ALL_OR_NONE, options);
        out.close();
    }

    private void begin(XmlWriter out, JobDescription job, String use, Map<String, String> options) {
        out.open(generation.description(use));
        StagingOptions.OF_REQUEST.forEach(name -> writeOption(out, name, options));
        QName name = generation.transfer("transferCredentialEndpoint");
        job.credential(StagingReading.credentialUse(use))
                .ifPresent(credential -> DelegatedCredentials.write(out, generation, name, credential));
    }

    private void writeCopy(XmlWriter out, Transfer copy) {
        out.open(generation.transfer("transfer"));
        out.element(generation.transfer("sourceUrl"), JddRenderer.escaped(copy.source()));
        out.element(generation.transfer("destinationUrl"), JddRenderer.escaped(copy.destination()));
        writeOption(out, StagingOptions.ATTEMPTS, copy.options());
        writeOptions(out, "rftOptions", StagingOptions.OF_COPYING, copy.options());
        out.close();
    }

    private void writeOptions(XmlWriter out, String element, List<String> names, Map<String, String> options) {
        if (names.stream().anyMatch(options::containsKey)) {
            out.open(generation.transfer(element));
            names.forEach(name -> writeOption(out, name, options));
            out.close();
        }
    }

    private void writeOption(XmlWriter out, String name, Map<String, String> options) {
        String value = options.get(name);
        if (value != null) {
            out.element(generation.transfer(name), value);
        }
    }
}
