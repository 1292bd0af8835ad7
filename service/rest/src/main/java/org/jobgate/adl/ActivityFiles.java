// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;

/** The files of an activity while its description is read. */
public final class ActivityFiles {

    private final ActivityFaults faults;
    private final Limit most;
    private final Map<String, Activity.Upload> uploads = new LinkedHashMap<>();
    private final Map<String, Activity.FileUrl> fetched = new LinkedHashMap<>();
    private final Set<String> programs = new LinkedHashSet<>();
    private final Set<String> kept = new LinkedHashSet<>();
    private final List<Activity.FileUrl> sent = new ArrayList<>();
    private final Map<String, String> options = new HashMap<>();
    private boolean pushesMore;
    private @Nullable Boolean sendsOnFailure;

    ActivityFiles(ActivityFaults faults, Limit most) {
        this.faults = faults;
        this.most = most;
    }

    /** The client brings the file. */
    public void upload(String part, String name, @Nullable Long size) {
        String checked = input(part, name);
        uploads.put(checked, new Activity.Upload(checked, false, size));
        count();
    }

    /** The service fetches the file. */
    public void fetch(String part, String name, String url) {
        String checked = input(part, name);
        fetched.put(checked, new Activity.FileUrl(checked, url(part, url), Map.of()));
        count();
    }

    private String input(String part, String name) {
        String checked = SessionNames.checked(faults, part, name);
        if (isInput(checked)) {
            throw faults.invalid(part, name, "two input files have this name");
        }
        return checked;
    }

    /** Whether an input file has that name. */
    public boolean isInput(String name) {
        return uploads.containsKey(name) || fetched.containsKey(name);
    }

    /** An input file is to be executable. */
    public void program(String part, String name) {
        String checked = SessionNames.checked(faults, part, name);
        if (!isInput(checked)) {
            throw faults.invalid(part, name, "no input file has this name");
        }
        programs.add(checked);
    }

    /** The client puts more files than are named. */
    public void expectMore() {
        pushesMore = true;
    }

    /** The file stays for the client. */
    public void keep(String part, String name) {
        kept.add(SessionNames.output(faults, part, name));
        count();
    }

    /** The service sends the file. */
    public void send(String part, String name, String url) {
        String checked = SessionNames.output(faults, part, name);
        sent.add(new Activity.FileUrl(checked, url(part, url), Map.of()));
        count();
    }

    /** Whether files are sent if the job fails; one answer must hold for all. */
    public void sendsOnFailure(String part, boolean isSent) {
        if (sendsOnFailure != null && sendsOnFailure != isSent) {
            throw faults.unsupported(
                    part,
                    "after a failure all files are sent that are there, or none",
                    "Say the same of all files that go to URLs.");
        }
        sendsOnFailure = isSent;
    }

    /** An option of all transfers, as {@link org.jobgate.job.TransferList} has it. */
    public void option(String name, String value) {
        options.put(name, value);
    }

    private void count() {
        most.check(uploads.size() + (long) fetched.size(), "Input files of the job");
        most.check(kept.size() + (long) sent.size(), "Output files of the job");
    }

    private String url(String part, String text) {
        URI url;
        try {
            url = new URI(text.replace(" ", "%20"));
        } catch (URISyntaxException e) {
            throw faults.invalid(part, text, "it must be a URL: " + e.getReason());
        }
        if (url.getScheme() == null || url.isOpaque() || url.getRawPath() == null) {
            throw faults.invalid(part, text, "it must be a URL like https://host/path");
        }
        if (url.getRawUserInfo() != null && url.getRawUserInfo().indexOf(':') >= 0) {
            throw faults.invalid(part, "", "a URL must not hold a password");
        }
        return url.toString();
    }

    void checkPrograms(String executable) {
        for (String program : programs) {
            if (fetched.containsKey(program) && !program.equals(executable)) {
                throw faults.unsupported(
                        "IsExecutable",
                        "of the files that the service fetches only the job's own program is made executable, and not "
                                + ActivityFaults.shown(program),
                        "Let the job's program make it executable, or bring it from the client.");
            }
        }
    }

    /** Whether the client puts files. */
    boolean isAwaited() {
        return pushesMore || !uploads.isEmpty();
    }

    boolean pushesMore() {
        return pushesMore;
    }

    @Nullable
    Boolean sendsOnFailure() {
        return sendsOnFailure;
    }

    List<Activity.Upload> uploads() {
        return uploads.values().stream()
                .map(file -> new Activity.Upload(file.name(), programs.contains(file.name()), file.size()))
                .toList();
    }

    List<Activity.FileUrl> fetched() {
        return fetched.values().stream().map(this::withOptions).toList();
    }

    List<Activity.FileUrl> sent() {
        return sent.stream().map(this::withOptions).toList();
    }

    private Activity.FileUrl withOptions(Activity.FileUrl file) {
        return new Activity.FileUrl(file.name(), file.url(), options);
    }

    List<String> kept() {
        return List.copyOf(kept);
    }
}
