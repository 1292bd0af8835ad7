// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jobgate.adl.Activity;
import org.jobgate.adl.ActivityDraft;
import org.jobgate.adl.ActivityFaults;
import org.jobgate.adl.ActivityRules;

/** One description while it is read: takes its attributes one after the other. */
final class XrslReading {

    /** May stand several times; of others a second one is refused: what it would mean nobody can tell. */
    private static final Set<String> MANY = Set.of(
            "rslsubstitution",
            "environment",
            "runtimeenvironment",
            "middleware",
            "opsys",
            "jobreport",
            "credentialserver",
            "notify");

    /** Attributes of Globus, or internal to clients, which this service ignores. */
    private static final Set<String> SILENT = Set.of(
            "clientxrsl", "clientsoftware", "savestate", "jobid", "hostname", "gmlog", "replicacollection", "cache");

    private static final Set<String> GLOBUS = Set.of(
            "resourcemanagercontact",
            "directory",
            "maxcputime",
            "maxwalltime",
            "maxtime",
            "maxmemory",
            "minmemory",
            "grammyjob",
            "project",
            "hostcount",
            "label",
            "subjobcommstype",
            "subjobstarttype",
            "filecleanup",
            "filestagein",
            "filestageinshared",
            "filestageout",
            "gasscache",
            "jobtype",
            "librarypath",
            "remoteiourl",
            "scratchdir",
            "cluster");
    private static final Set<String> NAMES = Set.of(
            "executable",
            "arguments",
            "stdin",
            "stdout",
            "stderr",
            "join",
            "inputfiles",
            "executables",
            "outputfiles",
            "ftpthreads",
            "delegationid",
            "queue",
            "starttime",
            "lifetime",
            "cputime",
            "walltime",
            "gridtime",
            "benchmarks",
            "memory",
            "disk",
            "runtimeenvironment",
            "middleware",
            "opsys",
            "architecture",
            "nodeaccess",
            "count",
            "countpernode",
            "exclusiveexecution",
            "environment",
            "jobname",
            "notify",
            "rerun",
            "priority",
            "dryrun",
            "jobreport",
            "credentialserver",
            "acl",
            "action");

    private static final ActivityFaults FAULTS = ActivityFaults.XRSL;

    private final ActivityDraft draft;
    private final XrslDialect dialect;
    private final XrslValues values;
    private final XrslFiles files;
    private final XrslResources resources;
    private boolean isJoined;

    XrslReading(ActivityRules rules, XrslDialect dialect) {
        this.draft = new ActivityDraft(rules, FAULTS);
        this.dialect = dialect;
        this.values = new XrslValues(rules.limits().textBytes());
        this.files = new XrslFiles(draft, values, dialect);
        this.resources = new XrslResources(draft, values, dialect);
    }

    Activity read(List<Rsl.Relation> relations) {
        Set<String> given = new HashSet<>();
        for (Rsl.Relation relation : relations) {
            if (!MANY.contains(relation.name()) && !given.add(relation.name())) {
                throw FAULTS.repeated(relation.name());
            }
        }
        if (given.contains("countpernode") && !given.contains("count")) {
            throw FAULTS.invalid("countpernode", "", "it needs the attribute count beside it");
        }
        relations.stream()
                .filter(relation -> relation.name().equals("rslsubstitution"))
                .forEach(values::define);
        relations.forEach(this::relation);
        files.finish();
        if (isJoined) {
            join();
        }
        return draft.finish();
    }

    private void relation(Rsl.Relation relation) {
        String name = relation.name();
        switch (name) {
            case "rslsubstitution" -> {
                // read before all others
            }
            case "executable" -> draft.executable(name, values.single(relation));
            case "arguments" -> values.list(relation).forEach(argument -> draft.argument(name, argument));
            case "stdin" -> draft.stdin(name, values.single(relation));
            case "stdout" -> draft.stdout(name, values.single(relation));
            case "stderr" -> draft.stderr(name, values.single(relation));
            case "join" -> isJoined = values.truth(relation);
            case "environment" ->
                values.sequences(relation, 2, 2).forEach(pair -> draft.environment(name, pair.get(0), pair.get(1)));
            case "jobname" -> draft.name(draft.text(name, values.single(relation)));
            case "delegationid" -> {
                XrslValues.requireEqual(relation);
                draft.delegation(name, values.single(relation));
            }
            case "starttime" -> draft.startAfter(name, XrslTimes.time(name, values.single(relation)));
            case "lifetime" -> draft.keepFor(XrslTimes.period(name, values.single(relation), dialect));
            case "action" -> action(relation);
            case "dryrun" -> {
                if (values.truth(relation)) {
                    throw FAULTS.unsupported(name, "a job that is not to be run is not taken", "Leave it out.");
                }
            }
            default -> further(relation);
        }
    }

    private void further(Rsl.Relation relation) {
        String name = relation.name();
        if (files.read(relation) || resources.read(relation) || SILENT.contains(name)) {
            return;
        }
        switch (name) {
            case "rerun" -> {
                if (values.number(relation, 0, Integer.MAX_VALUE) > 0) {
                    draft.note(name + " has no effect here: to run a failed job once more, submit it once more.");
                }
            }
            case "priority" -> {
                values.number(relation, 0, Integer.MAX_VALUE);
                draft.note(name + " has no effect here: the order of jobs is the site's.");
            }
            case "jobreport" -> draft.note(name + " has no effect here: the site accounts for jobs itself.");
            case "credentialserver" ->
                draft.note(name + " has no effect here: a delegated credential is renewed by the client.");
            case "acl" -> draft.note(name + " has no effect here: nobody but its owner reaches the job.");
            case "middleware" -> draft.note(name + " has no effect here: the client chooses the service.");
            default -> {
                if (!GLOBUS.contains(name)) {
                    throw FAULTS.unknown("xRSL", name, NAMES);
                }
                draft.note(name + " has no effect: it is of Globus's language and not of xRSL.");
            }
        }
    }

    private void action(Rsl.Relation relation) {
        String word = values.single(relation).toLowerCase(Locale.ROOT);
        if (!word.equals("request")) {
            throw FAULTS.invalid(
                    relation.name(),
                    word,
                    "a new job is asked for with request; the interface has operations for the rest");
        }
    }

    private void join() {
        String stdout = draft.stdout()
                .orElseThrow(() -> FAULTS.invalid("join", "yes", "it needs the attribute stdout beside it"));
        if (draft.stderr().isPresent() && !draft.stderr().get().equals(stdout)) {
            throw FAULTS.invalid("join", "yes", "the attribute stderr names another file than stdout");
        }
        draft.stderr("stderr", stdout);
    }
}
