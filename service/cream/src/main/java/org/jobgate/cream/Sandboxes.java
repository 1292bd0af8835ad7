// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.jdl.Jdl;
import org.jobgate.jdl.JdlPlaces;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;

/**
 * The directories of jobs. Each has one of its own below its account's home, in which it runs; in it {@code ISB} is for the files
 * that the client brings, {@code OSB} for those that it fetches. It is made when the job is registered, as the account, and removed
 * when the job is purged.
 */
final class Sandboxes {

    private static final String BASE = ".jobgate/cream";
    private static final String INPUT = "ISB";
    private static final String OUTPUT = "OSB";

    private final DoorContext door;
    private final SandboxPlaces site;

    Sandboxes(DoorContext door, SandboxPlaces site) {
        this.door = requireNonNull(door, "door is null");
        this.site = requireNonNull(site, "site is null");
    }

    /** Where the sandbox of a job of this account is to be. */
    String directory(String account, String id) {
        return base(account) + "/" + id;
    }

    private String base(String account) {
        return site.home(account)
                .map(home -> home.replaceFirst("/+$", "") + "/" + BASE)
                .orElseThrow(() -> new FaultException(Fault.of(
                        FaultCode.INTERNAL,
                        "The account " + account + " has no home directory for the sandbox of the job.",
                        "Tell the site's administrator.")));
    }

    static JdlPlaces places(String directory) {
        return new JdlPlaces(directory, directory + "/" + INPUT, directory + "/" + OUTPUT);
    }

    /**
     * Makes the directories of a job that is about to be stored: those that it needs.
     *
     * @throws FaultException where the account cannot
     */
    void make(String account, String directory, Jdl jdl) {
        try {
            if (!jdl.uploads().isEmpty()) {
                door.directories().makeDirectory(account, directory + "/" + INPUT);
            }
            door.directories().makeDirectory(account, jdl.keepsOutput() ? directory + "/" + OUTPUT : directory);
        } catch (FileRefusedException e) {
            throw new FaultException(
                    Fault.of(
                            FaultCode.INTERNAL,
                            "The sandbox of the job cannot be made at " + directory + ": " + e.getMessage() + ".",
                            "Look whether the account's home has room; else tell the site's administrator."),
                    e);
        } catch (FilesUnavailableException e) {
            throw unavailable(account, e);
        }
    }

    /**
     * Removes the sandbox with all that is in it.
     *
     * @throws FaultException where the account cannot
     */
    void remove(String account, CreamJob job) {
        int end = job.directory().lastIndexOf('/');
        FilePlace place = new FilePlace.Below(
                job.directory().substring(0, end), List.of(job.directory().substring(end + 1)));
        try {
            door.directories().delete(account, place);
        } catch (FileRefusedException e) {
            throw new FaultException(
                    Fault.of(
                            FaultCode.INTERNAL,
                            "The sandbox of the job cannot be removed: " + e.getMessage() + ".",
                            "Look at the permissions of what the job has written, and purge it again."),
                    e);
        } catch (FilesUnavailableException e) {
            throw unavailable(account, e);
        }
    }

    private static FaultException unavailable(String account, FilesUnavailableException e) {
        return new FaultException(
                Fault.of(
                        FaultCode.LRM_UNAVAILABLE,
                        "The files of the account " + account + " cannot be reached: " + e.getMessage() + ".",
                        "Try again later; tell the site's administrator if it lasts."),
                e);
    }

    /** Where the client puts the files of its InputSandbox, each below it by its name. */
    String inputUrl(CreamJob job, String lrm) {
        return url(job, lrm, INPUT);
    }

    /** Where the client fetches output that is kept here. */
    String outputUrl(CreamJob job, String lrm) {
        return url(job, lrm, OUTPUT);
    }

    /** As the site is now, not as it was when the job came: sandboxes stay where they are, servers come and go. */
    private String url(CreamJob job, String lrm, String part) {
        return site.fileServer(lrm, job.directory())
                .or(() -> door.addresses().url(DoorAddresses.FILES).map(url -> url + "/jobs/" + job.job() + "/files"))
                .map(sandbox -> sandbox + "/" + part)
                .orElse(CreamNames.NOT_AVAILABLE);
    }
}
