// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Set;
import org.jobgate.adapter.FileSettings;
import org.jobgate.adapter.FileTrees;
import org.jobgate.adapter.FileWorkers;
import org.jobgate.adapter.LeftWorkers;
import org.jobgate.container.config.FileTreeConfig;
import org.jobgate.container.config.FilesConfig;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.LrmConfig;
import org.jobgate.files.AccountTrees;
import org.jobgate.limits.Limit;
import org.jobgate.rest.files.FileDoorSettings;

/** The settings of the door to the files of jobs, read from the configuration. */
final class FileDoor {

    private FileDoor() {}

    /** Accounts are reached for their files as they are for the jobs of the first LRM. */
    static FileWorkers accounts(JobgateConfig config, Path home, LeftWorkers left, Clock clock, SecureRandom random) {
        return FileWorkers.create(reached(config, home), left, clock, random);
    }

    /** How accounts are reached for what is not of an LRM. */
    static FileSettings reached(JobgateConfig config, Path home) {
        LrmConfig first = config.lrms().getFirst();
        return new FileSettings(
                home.resolve("perl"),
                first.perl(),
                first.sudo(),
                Set.copyOf(config.authorization().deniedAccounts()),
                config.files().answerTimeout(),
                config.files().idleEnd());
    }

    /** The directories that the site exports, reached as the files of jobs are. */
    static AccountTrees trees(JobgateConfig config, FileWorkers files) {
        return new FileTrees(
                config.fileTrees().stream().map(FileTreeConfig::tree).toList(), files);
    }

    static FileDoorSettings settings(FilesConfig config) {
        return new FileDoorSettings(
                new Limit("files.maxReaders", config.maxReaders()),
                new Limit("files.maxReadersPerOwner", config.maxReadersPerOwner()),
                config.maxWait(),
                new FileDoorSettings.Uploads(
                        new Limit("files.maxFileSize", config.maxFileSize().bytes()),
                        new Limit(
                                "files.maxUploadBytesPerJob",
                                config.maxUploadBytesPerJob().bytes()),
                        new Limit("files.maxUploadsPerJob", config.maxUploadsPerJob())));
    }
}
