// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.jsdl.FileSystems;
import org.jobgate.jsdl.JsdlDocument;
import org.jobgate.jsdl.JsdlReader;
import org.jobgate.jsdl.JsdlSite;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.ReadingContext;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.xml.XmlLimits;

/** JSDL as the language of activity documents: each is read for the account and the LRM that its job would have. */
public final class JsdlActivities implements JobLanguage {

    private final JsdlReader reader;
    private final Function<String, LrmCapabilities> capabilities;
    private final Function<String, Optional<FileSystems>> fileSystems;

    /**
     * The language of one gateway.
     *
     * @param capabilities of the LRM of a name
     * @param fileSystems of a local account; empty where it has no home
     */
    public JsdlActivities(
            XmlLimits limits,
            Function<String, LrmCapabilities> capabilities,
            Function<String, Optional<FileSystems>> fileSystems) {
        this.reader = new JsdlReader(limits);
        this.capabilities = requireNonNull(capabilities, "capabilities is null");
        this.fileSystems = requireNonNull(fileSystems, "fileSystems is null");
    }

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
        JsdlDocument document = reader.read(text);
        String lrm = document.lrm().orElseGet(context::defaultLrm);
        String account = context.account(document.account());
        FileSystems places = fileSystems
                .apply(account)
                .orElseThrow(() -> new FaultException(Fault.of(
                        FaultCode.INTERNAL,
                        "The home directory of the account " + account + " is not known to this host.",
                        "Tell the site's administrator.")));
        return List.of(DescribedJob.of(document.job(new JsdlSite(places, capabilities.apply(lrm), false))
                        .description())
                .withLrm(lrm)
                .withAccount(account)
                .withClientId(document.clientId().orElse(null)));
    }
}
