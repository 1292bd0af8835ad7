// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;

/** Files of a request, found by SURLs: two that say the same names are the same. */
final class Files {

    static final QName STATUS = new QName("status");

    private Files() {}

    /** The names of a SURL; one that cannot be read has none that a file could have. */
    static List<String> names(String surl) {
        try {
            return Surl.names(surl);
        } catch (SrmException e) {
            return List.of("", surl);
        }
    }

    static Set<List<String>> names(List<String> surls) {
        Set<List<String>> names = new HashSet<>();
        surls.forEach(surl -> names.add(names(surl)));
        return names;
    }

    /** Those of the SURLs; all where none is given. What the request has not is answered as such. */
    static List<StoredRequest.File> chosen(StoredRequest request, List<String> surls) {
        if (surls.isEmpty()) {
            return request.files();
        }
        List<StoredRequest.File> chosen = new ArrayList<>();
        for (String surl : surls) {
            List<String> wanted = names(surl);
            chosen.add(request.files().stream()
                    .filter(file -> !file.path().isEmpty() && file.names().equals(wanted))
                    .findFirst()
                    .orElseGet(() -> StoredRequest.File.failed(
                            surl, new Status(Code.SRM_INVALID_PATH, "The request does not have this file."))));
        }
        return chosen;
    }
}
