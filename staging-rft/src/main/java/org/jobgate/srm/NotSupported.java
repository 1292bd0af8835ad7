// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import java.util.Map;

/** Operations that are answered SRM_NOT_SUPPORTED, with what to do instead. */
final class NotSupported {

    private static final Map<String, String> WHY = Map.of(
            "srmCopy",
                    "Files are not copied from server to server here; get the file's transfer URL, and copy it by that.",
            "srmStatusOfCopyRequest", "Files are not copied from server to server here, so there is no such request.",
            "srmChangeSpaceForFiles", "Files are in the space of their tree; srmMv gives a file another name in it.",
            "srmStatusOfChangeSpaceForFilesRequest",
                    "Files are in the space of their tree, so there is no such request.",
            "srmExtendFileLifeTimeInSpace", "Files have no lifetimes here, they stay until they are removed.",
            "srmPurgeFromSpace", "There is one copy of each file; srmRm removes it.",
            "srmSuspendRequest", "Requests are answered at once here, so there is nothing to suspend.",
            "srmResumeRequest", "Requests are answered at once here, so there is nothing to resume.");

    private NotSupported() {}

    static Operation of(String name) {
        Status status = new Status(Code.SRM_NOT_SUPPORTED, WHY.getOrDefault(name, "It is not served here."));
        return call -> {
            call.account();
            return Answer.of(status);
        };
    }
}
