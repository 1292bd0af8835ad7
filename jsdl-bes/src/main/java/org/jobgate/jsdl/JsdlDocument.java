// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static java.util.Objects.requireNonNull;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.GroupVariants;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Resources;
import org.jobgate.limits.JobLimits;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * One document: a JobDefinition. First it says as whom and in which LRM it wants to run; then it is read against what that account and that
 * LRM have.
 *
 * <p>Every refusal is a {@link org.jobgate.job.FaultException} that names the element by its path, its value and the rule. Not for several
 * threads.
 */
public final class JsdlDocument {

    private static final QName SWEEP = Names.of(Names.SWEEP, "Sweep");

    private final Node root;
    private final Node description;

    private JsdlDocument(Node root) {
        this.root = root;
        Parts parts = new Parts(root);
        this.description = parts.needed(Names.jsdl("JobDescription"));
    }

    /**
     * Takes a JobDefinition.
     *
     * @throws org.jobgate.job.FaultException where the element is none, or one of a draft of the language
     */
    public static JsdlDocument of(XmlElement definition) {
        Node root = Node.of(requireNonNull(definition, "definition is null"));
        if (!root.is(Names.JSDL, "JobDefinition")) {
            throw JsdlFaults.invalid(
                    root, "", "a document is a JobDefinition of the namespace " + Names.JSDL + ", which is JSDL 1.0");
        }
        return new JsdlDocument(root);
    }

    /** The local account that it asks for: its application's UserName. */
    public Optional<String> account() {
        return application().userName();
    }

    /** The LRM that it asks for, by our own element {@code Lrm}. */
    public Optional<String> lrm() {
        return root.child(Names.own("Lrm")).map(Parts::word);
    }

    /** The client's own id of the submission, by our own element {@code ClientId}. */
    public Optional<String> clientId() {
        return root.child(Names.own("ClientId")).map(Parts::word);
    }

    private Application application() {
        Node node = description
                .child(Names.jsdl("Application"))
                .orElseThrow(() -> JsdlFaults.invalid(description, "", "it must hold one jsdl:Application"));
        return Application.find(applicationParts(node, new Labels()));
    }

    private static Parts applicationParts(Node node, Labels labels) {
        Parts parts = new Parts(node);
        parts.one(Names.jsdl("ApplicationName")).ifPresent(one -> labels.add(Labels.APPLICATION_NAME, Parts.text(one)));
        parts.one(Names.jsdl("ApplicationVersion"))
                .ifPresent(one -> labels.add(Labels.APPLICATION_VERSION, Parts.text(one)));
        parts.one(Names.jsdl("Description"))
                .ifPresent(one -> labels.add(Labels.APPLICATION_DESCRIPTION, Parts.text(one)));
        return parts;
    }

    /** Whether it describes more jobs than one: a parameter sweep. */
    public boolean isSweep() {
        return root.child(SWEEP).isPresent();
    }

    /** How many jobs it describes; a sweep is counted and not gone through. */
    public BigInteger size() {
        return isSweep() ? sweeps().stream().map(Sweep::size).reduce(BigInteger.ZERO, BigInteger::add) : BigInteger.ONE;
    }

    private List<Sweep> sweeps() {
        SweepWork work = new SweepWork();
        return root.children().stream()
                .filter(child -> child.name().equals(SWEEP))
                .map(child -> Sweep.read(child, description, work))
                .toList();
    }

    /**
     * The jobs of a parameter sweep, as the elements of one group. Each point is read as a document of its own, so whatever a value makes of the
     * document is checked like the document itself.
     *
     * @throws org.jobgate.job.FaultException also of code {@code LIMIT_EXCEEDED} by {@code limits.maxGroupElements}, before any point is looked
     *     at, by {@code limits.maxGroupBytes}, and for what {@link SweepWork} does not do
     */
    public JsdlSweep group(JsdlSite site, JobLimits limits) {
        List<Sweep> sweeps = sweeps();
        BigInteger points = sweeps.stream().map(Sweep::size).reduce(BigInteger.ZERO, BigInteger::add);
        limits.groupElements()
                .check(points.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue(), "points of the sweep");
        Optional<String> account = account();
        GroupVariants.Builder variants = new GroupVariants.Builder(
                bytes -> limits.groupBytes().check(bytes, "UTF-8 bytes of what differs in the points of the sweep"));
        Passwords passwords = new Passwords();
        boolean fillsFiles = sweeps.stream().anyMatch(Sweep::fillsFiles);
        FilledFiles files = new FilledFiles();
        for (Sweep sweep : sweeps) {
            sweep.forEach(() -> {
                JobDescription job =
                        fillsFiles ? filled(site, passwords, files.nextDirectory()) : point(site, passwords, null);
                files.requireOwn(sweep.node(), job);
                if (!account().equals(account)) {
                    throw JsdlFaults.invalid(sweep.node(), "", "all points run as one account");
                }
                variants.add(job);
            });
        }
        return new JsdlSweep(GroupTemplate.ofVariants(variants.build()), passwords.all());
    }

    /** A point with a directory of its own; without one where none of its files is fetched to there, as nothing else makes it. */
    private JobDescription filled(JsdlSite site, Passwords passwords, String ownDirectory) {
        JobDescription job = point(site, passwords, ownDirectory);
        return FilledFiles.isMade(job.directory(), site.fileSystems(), job.transfers())
                ? job
                : point(site, passwords, null);
    }

    /** The job. A sweep is refused by its name: it is not one job. */
    public JsdlJob job(JsdlSite site) {
        root.child(SWEEP).ifPresent(sweep -> {
            throw JsdlFaults.unsupported(sweep, "one job is taken here, and a sweep is many", "Submit it as an array.");
        });
        Passwords passwords = new Passwords();
        JobDescription job = point(site, passwords, null);
        return new JsdlJob(job, passwords.all());
    }

    /**
     * The job that the JobDescription describes as it stands.
     *
     * @param ownDirectory in the working directory of the document, where it is to be the job's; absent where the job has that itself
     */
    private JobDescription point(JsdlSite site, Passwords passwords, @Nullable String ownDirectory) {
        Parts definition = new Parts(root);
        Labels labels = new Labels();
        definition.attribute("id").ifPresent(id -> labels.add(Labels.ID, id));
        definition.needed(Names.jsdl("JobDescription"));
        definition.many(SWEEP);
        definition.one(Names.own("Lrm"));
        definition.one(Names.own("ClientId"));
        definition.end();
        return job(site, labels, passwords, ownDirectory);
    }

    private JobDescription job(JsdlSite site, Labels labels, Passwords passwords, @Nullable String ownDirectory) {
        Parts parts = new Parts(description);
        JobDescription.Builder job = JobDescription.builder("-");
        Resources.Builder resources = Resources.builder();
        parts.one(Names.jsdl("JobIdentification")).ifPresent(node -> readIdentification(node, site, job, labels));
        Node application = parts.needed(Names.jsdl("Application"));
        Optional<Node> asked = parts.one(Names.jsdl("Resources"));
        List<Node> staging = parts.many(Names.jsdl("DataStaging"));
        Optional<Node> own = parts.one(Names.own("Job"));
        parts.end();
        Optional<Parts> resourceParts = asked.map(Parts::new);
        Places places = new Places(
                site.fileSystems(),
                resourceParts.map(of -> of.many(Names.jsdl("FileSystem"))).orElse(List.of()));
        Application.Processes processes = Application.find(applicationParts(application, labels))
                .read(places, site.group(), job, resources, labels);
        try {
            if (ownDirectory != null) {
                String directory = job.build().directory();
                job.directory(directory == null ? ownDirectory : FileSystems.joined(directory, ownDirectory));
            }
            if (resourceParts.isPresent()) {
                new ResourceReading(resourceParts.get(), site.capabilities(), job, resources).read(processes);
                resourceParts.get().end();
            } else {
                readWithoutResources(application, site, processes, job, resources);
            }
            Staging files = new Staging(places, job.build().directory(), site.takesCredentials(), passwords);
            staging.forEach(files::read);
            JobDescription read = job.resources(resources.build())
                    .transfers(files.transfers())
                    .extensions(labels.extensions())
                    .build();
            return own.map(node -> OwnWords.read(node, read)).orElse(read);
        } catch (IllegalArgumentException e) {
            throw JsdlFaults.invalid(description, "", String.valueOf(e.getMessage()));
        }
    }

    /** What an SPMDApplication says of its processes counts without any Resources, too. */
    private static void readWithoutResources(
            Node application,
            JsdlSite site,
            Application.Processes processes,
            JobDescription.Builder job,
            Resources.Builder resources) {
        ResourceReading none = ResourceReading.ofNothing(application, site.capabilities(), job, resources);
        new CountReading(null, null, null, none).read(processes, job, resources);
    }

    private static void readIdentification(Node node, JsdlSite site, JobDescription.Builder job, Labels labels) {
        Parts parts = new Parts(node);
        parts.one(Names.jsdl("JobName")).ifPresent(one -> labels.add(Labels.JOB_NAME, Parts.text(one)));
        parts.one(Names.jsdl("Description")).ifPresent(one -> labels.add(Labels.DESCRIPTION, Parts.text(one)));
        parts.many(Names.jsdl("JobAnnotation")).forEach(one -> labels.add(Labels.ANNOTATION, Parts.text(one)));
        List<Node> projects = parts.many(Names.jsdl("JobProject"));
        if (site.notesProjects()) {
            projects.forEach(one -> labels.add(Labels.PROJECT, Parts.text(one)));
            parts.end();
            return;
        }
        if (projects.size() > 1) {
            throw JsdlFaults.unsupported(projects.get(1), "a job here has one project", "Name one.");
        }
        projects.stream().map(Parts::word).forEach(job::project);
        parts.end();
    }
}
