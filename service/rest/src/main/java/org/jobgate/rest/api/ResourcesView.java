// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jobgate.job.Gpus;
import org.jobgate.job.Mail;
import org.jobgate.job.ProcessLimits;
import org.jobgate.job.Resources;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Resources in the form in which {@link ResourcesForm} reads them; what is absent is left out. */
final class ResourcesView {

    private final ObjectNode view;

    private ResourcesView(ObjectNode view) {
        this.view = view;
    }

    /** @param description of which they are a member */
    static void write(Resources resources, ObjectNode description) {
        new ResourcesView(description.putObject(ResourcesForm.NAME)).write(resources);
    }

    private void write(Resources resources) {
        number("slots", resources.slots());
        number("slotsPerHost", resources.slotsPerHost());
        number("threadsPerProcess", resources.threadsPerProcess());
        if (resources.wholeNodes()) {
            view.put("wholeNodes", true);
        }
        gpus(resources.gpus());
        number("memoryPerSlot", resources.memoryPerSlotMiB());
        number("memory", resources.memoryMiB());
        limits(resources.limits());
        texts(view, "nodeFeatures", resources.nodeFeatures());
        texts(view, "hosts", resources.hosts());
        text("architecture", resources.architecture());
        text("operatingSystem", resources.operatingSystem());
        text("reservation", resources.reservation());
        texts(view, "preCommand", resources.preCommand());
        texts(view, "postCommand", resources.postCommand());
        mail(resources.mail());
    }

    private void gpus(@Nullable Gpus gpus) {
        if (gpus == null) {
            return;
        }
        number("gpus", gpus.number());
        text("gpuModel", gpus.model());
        if (gpus.mode() != null) {
            text("gpuMode", ResourcesForm.camel(gpus.mode().name()));
        }
    }

    private void limits(@Nullable ProcessLimits limits) {
        if (limits == null) {
            return;
        }
        Duration cpuTime = limits.cpuTime();
        number("cpuTime", cpuTime == null ? null : cpuTime.toSeconds());
        number("fileSize", limits.fileSizeBytes());
        number("coreSize", limits.coreSizeBytes());
        number("stackSize", limits.stackSizeBytes());
        number("openFiles", limits.openFiles());
        number("processes", limits.processes());
        number("dataSize", limits.dataSizeBytes());
        number("lockedMemory", limits.lockedMemoryBytes());
        number("addressSpace", limits.addressSpaceBytes());
    }

    private void mail(@Nullable Mail mail) {
        if (mail == null) {
            return;
        }
        ObjectNode one = view.putObject("mail");
        texts(one, "addresses", mail.addresses());
        texts(
                one,
                "events",
                mail.events().stream()
                        .map(event -> event.name().toLowerCase(Locale.ROOT))
                        .toList());
    }

    private void number(String name, @Nullable Number value) {
        if (value != null) {
            view.put(name, value.longValue());
        }
    }

    private void text(String name, @Nullable String value) {
        if (value != null) {
            view.put(name, value);
        }
    }

    private static void texts(ObjectNode view, String name, List<String> texts) {
        if (!texts.isEmpty()) {
            ArrayNode array = view.putArray(name);
            texts.forEach(array::add);
        }
    }
}
