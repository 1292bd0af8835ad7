// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.ReadingContext;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;

/** As much of JSDL as tests of the door alone need: an executable and arguments; an attribute makes it a sweep over values, or fetches a file. */
final class TestJsdl implements JobLanguage {

    @Override
    public String name() {
        return "jsdl";
    }

    @Override
    public List<String> mediaTypes() {
        return List.of("application/jsdl+xml");
    }

    @Override
    public boolean recognizes(String beginning) {
        return beginning.contains(BesNames.JSDL);
    }

    @Override
    public List<DescribedJob> read(String text, ReadingContext context) {
        XmlElement root = XmlTree.parse(text.getBytes(StandardCharsets.UTF_8), XmlLimits.defaults());
        List<XmlElement> all = new ArrayList<>();
        collect(root, all);
        if (all.stream().anyMatch(element -> element.localName().equals("Impossible"))) {
            throw new FaultException(
                    Fault.of(FaultCode.UNSUPPORTED_FEATURE, "Impossible cannot be had here.", "Leave it out.")
                            .about("/JobDefinition/Impossible", null));
        }
        List<String> arguments = texts(all, "Argument");
        JobDescription.Builder builder =
                JobDescription.builder(texts(all, "Executable").getFirst()).arguments(arguments);
        if (root.attribute("fetches").isPresent()) {
            builder.transfers(new TransferList(
                    List.of(new Transfer("https://files.example.org/in", "in")), List.of(), List.of()));
        }
        JobDescription description = builder.build();
        return List.of(root.attribute("values")
                .map(values -> DescribedJob.of(GroupTemplate.ofValues(description, List.of(values.split(" ")))))
                .orElse(DescribedJob.of(description)));
    }

    @Override
    public Optional<String> write(JobDescription description) {
        return description.executable().equals("/bin/unspeakable")
                ? Optional.empty()
                : Optional.of(
                        "<j:JobDefinition xmlns:j='" + BesNames.JSDL + "' id='x'><j:JobDescription><j:Application>"
                                + "<j:Executable xmlns:j='urn:test'>" + description.executable()
                                + "</j:Executable></j:Application></j:JobDescription></j:JobDefinition>");
    }

    private static List<String> texts(List<XmlElement> all, String name) {
        return all.stream()
                .filter(element -> element.localName().equals(name))
                .map(XmlElement::text)
                .toList();
    }

    private static void collect(XmlElement element, List<XmlElement> all) {
        all.add(element);
        element.children().forEach(child -> collect(child, all));
    }
}
