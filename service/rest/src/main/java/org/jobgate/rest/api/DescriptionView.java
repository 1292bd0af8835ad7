// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jobgate.job.After;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.SubJob;
import org.jobgate.job.Transfer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A description in the form in which {@link DescriptionForm} reads it; what is absent is left out. */
final class DescriptionView {

    private static final JsonMapper JSON = new JsonMapper();

    private DescriptionView() {}

    static ObjectNode of(JobDescription description) {
        ObjectNode view = JSON.createObjectNode();
        if (description.isMulti()) {
            hold(view, description);
            ArrayNode subJobs = view.putArray("subJobs");
            description.subJobs().forEach(sub -> subJobs.add(of(sub)));
            return view;
        }
        if (!OnlyTransfers.is(description)) {
            view.put("executable", description.executable());
        }
        texts(view, "arguments", description.arguments());
        put(view, "directory", description.directory());
        if (!description.environment().isEmpty()) {
            ObjectNode environment = view.putObject("environment");
            description.environment().forEach(variable -> environment.put(variable.name(), variable.value()));
        }
        put(view, "stdin", description.stdin());
        put(view, "stdout", description.stdout());
        put(view, "stderr", description.stderr());
        view.put("count", description.count());
        number(view, "hostCount", description.hostCount());
        view.put("jobType", DescriptionForm.word(description.jobType()));
        texts(view, "libraryPath", description.libraryPath());
        put(view, "queue", description.queue());
        put(view, "project", description.project());
        seconds(view, "maxTimeSeconds", description.maxTime());
        seconds(view, "maxWallTimeSeconds", description.maxWallTime());
        seconds(view, "maxCpuTimeSeconds", description.maxCpuTime());
        number(view, "maxMemoryMiB", description.maxMemoryMiB());
        number(view, "minMemoryMiB", description.minMemoryMiB());
        if (description.resources() != null) {
            ResourcesView.write(description.resources(), view);
        }
        if (description.chirp() != null) {
            ChirpForm.write(description.chirp(), view);
        }
        after(view, description.after());
        hold(view, description);
        transfers(view, description);
        Map<String, String> credentials = new TreeMap<>();
        description.credentials().forEach(named -> credentials.put(DescriptionForm.word(named.use()), named.key()));
        map(credentials, members -> view.set("credentials", members));
        truth(view, "stageOutOnFailure", description.stageOutOnFailure());
        truth(view, "incrementalOutput", description.incrementalOutput());
        if (!description.extensions().isEmpty()) {
            extensions(view.putArray("extensions"), description.extensions());
        }
        return view;
    }

    private static ObjectNode of(SubJob sub) {
        ObjectNode view = of(sub.description());
        view.put("lrm", sub.lrm());
        view.put("account", sub.account());
        put(view, "id", sub.name());
        after(view, sub.after());
        return view;
    }

    private static void after(ObjectNode view, List<After> all) {
        if (!all.isEmpty()) {
            ArrayNode after = view.putArray("after");
            all.forEach(one -> after.addObject()
                    .put("id", one.job())
                    .put("when", one.when().word()));
        }
    }

    private static void hold(ObjectNode view, JobDescription description) {
        if (description.holdAt() != null) {
            view.put("holdAt", StateWord.of(description.holdAt()));
        }
        if (description.holdAgain() != null) {
            view.put("holdAgain", StateWord.of(description.holdAgain()));
        }
    }

    private static void transfers(ObjectNode view, JobDescription description) {
        transfers(view, "stageIn", description.transfers().stageIn());
        transfers(view, "stageOut", description.transfers().stageOut());
        texts(view, "cleanUp", description.transfers().cleanUp());
        map(description.transfers().stageInOptions(), members -> view.set("stageInOptions", members));
        map(description.transfers().stageOutOptions(), members -> view.set("stageOutOptions", members));
        map(description.transfers().cleanUpOptions(), members -> view.set("cleanUpOptions", members));
    }

    private static void transfers(ObjectNode view, String name, List<Transfer> transfers) {
        if (transfers.isEmpty()) {
            return;
        }
        ArrayNode array = view.putArray(name);
        for (Transfer transfer : transfers) {
            ObjectNode one = array.addObject();
            one.put("source", transfer.source());
            one.put("destination", transfer.destination());
            map(transfer.options(), members -> one.set("options", members));
        }
    }

    private static void extensions(ArrayNode array, List<Extension> extensions) {
        for (Extension extension : extensions) {
            ObjectNode one = array.addObject();
            one.put("name", extension.name());
            map(extension.attributes(), members -> one.set("attributes", members));
            if (!extension.text().isEmpty()) {
                one.put("text", extension.text());
            }
            if (!extension.children().isEmpty()) {
                extensions(one.putArray("children"), extension.children());
            }
        }
    }

    private static void texts(ObjectNode view, String name, List<String> texts) {
        if (!texts.isEmpty()) {
            ArrayNode array = view.putArray(name);
            texts.forEach(array::add);
        }
    }

    /** In the order of the names, so that the same description looks the same each time. */
    private static void map(Map<String, String> map, Consumer<ObjectNode> set) {
        if (!map.isEmpty()) {
            ObjectNode members = JSON.createObjectNode();
            new TreeMap<>(map).forEach(members::put);
            set.accept(members);
        }
    }

    private static void put(ObjectNode view, String name, @Nullable String value) {
        if (value != null) {
            view.put(name, value);
        }
    }

    private static void number(ObjectNode view, String name, @Nullable Number value) {
        if (value != null) {
            view.put(name, value.longValue());
        }
    }

    private static void truth(ObjectNode view, String name, @Nullable Boolean value) {
        if (value != null) {
            view.put(name, value);
        }
    }

    private static void seconds(ObjectNode view, String name, @Nullable Duration value) {
        if (value != null) {
            view.put(name, value.toSeconds());
        }
    }
}
