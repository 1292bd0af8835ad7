// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.JobDescription;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.ReadingContext;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.xml.XmlLimits;

/** JSDL as a language that any door can be given. A document with a sweep describes one group. */
public final class JsdlLanguage implements JobLanguage {

    /** As it is stored with jobs. */
    public static final String NAME = "jsdl";

    private static final Pattern ROOT = Pattern.compile("<(?:[A-Za-z_][\\w.-]*+:)?JobDefinition[\\s/>]");

    /** The namespaces of the language and of its drafts; the refusal of a draft says which one is served. */
    private static final Pattern NAMESPACE = Pattern.compile("http://schemas\\.[go]gf\\.org/jsdl/");

    private static final Map<DescriptionPart, String> NAMES = Map.ofEntries(
            Map.entry(DescriptionPart.EXECUTABLE, "Executable"),
            Map.entry(DescriptionPart.DIRECTORY, "WorkingDirectory"),
            Map.entry(DescriptionPart.ARGUMENT, "Argument"),
            Map.entry(DescriptionPart.ENVIRONMENT, "Environment"),
            Map.entry(DescriptionPart.STDIN, "Input"),
            Map.entry(DescriptionPart.STDOUT, "Output"),
            Map.entry(DescriptionPart.STDERR, "Error"),
            Map.entry(DescriptionPart.COUNT, "NumberOfProcesses"),
            Map.entry(DescriptionPart.HOST_COUNT, "TotalResourceCount"),
            Map.entry(DescriptionPart.JOB_TYPE, "SPMDVariation"),
            Map.entry(DescriptionPart.PROJECT, "JobProject"),
            Map.entry(DescriptionPart.MAX_WALL_TIME, "WallTimeLimit"),
            Map.entry(DescriptionPart.MAX_CPU_TIME, "IndividualCPUTime"),
            Map.entry(DescriptionPart.MAX_MEMORY, "MemoryLimit"),
            Map.entry(DescriptionPart.STAGE_IN, "DataStaging"),
            Map.entry(DescriptionPart.STAGE_OUT, "DataStaging"),
            Map.entry(DescriptionPart.CLEAN_UP, "DeleteOnTermination"),
            Map.entry(DescriptionPart.TRANSFER_SOURCE, "Source"),
            Map.entry(DescriptionPart.TRANSFER_DESTINATION, "Target"),
            Map.entry(DescriptionPart.CLEAN_UP_FILE, "FileName"),
            Map.entry(DescriptionPart.ACCOUNT, "UserName"),
            Map.entry(DescriptionPart.LRM, "Lrm"),
            Map.entry(DescriptionPart.CLIENT_ID, "ClientId"));

    /** For a writer that does not know the account: paths of the whole machine. */
    private static final FileSystems WHOLE = new FileSystems(Map.of(FileSystems.ROOT, "/"));

    /** File systems of an account whose home is not known; a document that names no file in it needs no more. */
    private static final FileSystems WITHOUT_HOME =
            new FileSystems(Map.of(FileSystems.ROOT, "/", FileSystems.TMP, "/tmp"));

    private final JsdlReader reader;
    private final Function<String, Optional<FileSystems>> fileSystems;
    private final Function<String, LrmCapabilities> capabilities;
    private final Function<String, Optional<String>> groups;
    private final boolean notesProjects;

    /** The language at a site where the project of a document is that of the LRM. */
    public JsdlLanguage(
            XmlLimits limits,
            Function<String, LrmCapabilities> capabilities,
            Function<String, Optional<FileSystems>> fileSystems) {
        this(limits, capabilities, fileSystems, account -> Optional.empty(), false);
    }

    /**
     * The language at one site.
     *
     * @param capabilities of an LRM by its name, {@link LrmCapabilities#UNKNOWN} where it is none or nothing is known of it
     * @param fileSystems of a local account; absent where this host does not know its home
     * @param groups the primary group of a local account, asked for where a document names a group; absent where this host does not know it
     * @param notesProjects whether the projects of documents are given to no LRM
     */
    public JsdlLanguage(
            XmlLimits limits,
            Function<String, LrmCapabilities> capabilities,
            Function<String, Optional<FileSystems>> fileSystems,
            Function<String, Optional<String>> groups,
            boolean notesProjects) {
        this.groups = requireNonNull(groups, "groups is null");
        this.notesProjects = notesProjects;
        this.reader = new JsdlReader(limits);
        this.fileSystems = requireNonNull(fileSystems, "fileSystems is null");
        this.capabilities = requireNonNull(capabilities, "capabilities is null");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> mediaTypes() {
        return List.of("application/jsdl+xml");
    }

    @Override
    public boolean recognizes(String beginning) {
        int root = rootOf(beginning);
        int end = beginning.indexOf('>', root);
        String tag = beginning.substring(root, end < 0 ? beginning.length() : end + 1);
        return ROOT.matcher(tag).lookingAt() && NAMESPACE.matcher(tag).find();
    }

    /** Where the first element begins: behind blanks, a declaration and comments. */
    private static int rootOf(String text) {
        int at = 0;
        while (at < text.length()) {
            if (text.startsWith("<?", at)) {
                at = behind(text, at, "?>");
            } else if (text.startsWith("<!--", at)) {
                at = behind(text, at, "-->");
            } else if (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == '\uFEFF') {
                at++;
            } else {
                return at;
            }
        }
        return text.length();
    }

    private static int behind(String text, int from, String end) {
        int found = text.indexOf(end, from);
        return found < 0 ? text.length() : found + end.length();
    }

    @Override
    public List<DescribedJob> read(String text, ReadingContext context) {
        JsdlDocument document = reader.read(text);
        String account = context.account(document.account());
        String lrm = document.lrm().orElse(context.defaultLrm());
        JsdlSite site = new JsdlSite(
                fileSystems.apply(account).orElse(WITHOUT_HOME),
                capabilities.apply(lrm),
                context.takesPasswords(),
                notesProjects,
                group(account));
        DescribedJob job =
                document.isSweep() ? described(document.group(site, context.limits())) : described(document.job(site));
        return List.of(job.withLrm(document.lrm().orElse(null))
                .withAccount(document.account().orElse(null))
                .withClientId(document.clientId().orElse(null)));
    }

    /** Looked up once, however many points of a sweep name a group: each time a command is run for it. */
    private Supplier<Optional<String>> group(String account) {
        Map<String, Optional<String>> known = new HashMap<>();
        return () -> known.computeIfAbsent(account, groups);
    }

    private static DescribedJob described(JsdlSweep sweep) {
        return DescribedJob.of(sweep.template()).withPasswords(sweep.passwords());
    }

    private static DescribedJob described(JsdlJob job) {
        return DescribedJob.of(job.description()).withPasswords(job.passwords());
    }

    @Override
    public Optional<String> write(JobDescription description) {
        return description.isMulti() || OnlyTransfers.is(description)
                ? Optional.empty()
                : Optional.of(new JsdlWriter(WHOLE).text(description));
    }

    @Override
    public String nameOf(DescriptionPart part) {
        return NAMES.getOrDefault(part, part.word());
    }
}
