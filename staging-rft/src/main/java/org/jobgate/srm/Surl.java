// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jobgate.files.FileNames;
import org.jobgate.files.FilePlace;
import org.jobgate.files.UploadPart;
import org.jobgate.job.ShortText;

/**
 * Names of files in SRM: {@code srm://HOST[:PORT]/TREE/PATH}, or {@code srm://HOST[:PORT]/ENDPOINT?SFN=/TREE/PATH}. The host is not
 * looked at: clients reach a gateway by several names. A byte of a name may be percent-encoded.
 */
final class Surl {

    /** The most characters of one. */
    static final int MAX_LENGTH = 4096;

    /** What the names of files begin with that are being put, beside their places. */
    static final String PUT = UploadPart.OF_ONE_PUT;

    private static final String SCHEME = "srm://";
    private static final String SFN = "?sfn=";
    private static final int SHOWN = 200;
    private static final Pattern LONE_PERCENT = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    private Surl() {}

    /**
     * The names on the way that a SURL says: first that of the tree. None for the top.
     *
     * @throws SrmException of SRM_INVALID_PATH
     */
    static List<String> names(String surl) {
        if (surl.length() > MAX_LENGTH) {
            throw SrmException.path(
                    "The SURL has " + surl.length() + " characters; at most " + MAX_LENGTH + " are possible.");
        }
        String path = path(surl.strip());
        List<String> names = new ArrayList<>();
        String plain = path.endsWith("/") ? path.substring(1, Math.max(1, path.length() - 1)) : path.substring(1);
        if (plain.isEmpty()) {
            return names;
        }
        for (String part : plain.split("/", -1)) {
            names.add(name(part, surl));
        }
        if (names.size() > FilePlace.MAX_NAMES) {
            throw SrmException.path(
                    "The SURL has " + names.size() + " names; at most " + FilePlace.MAX_NAMES + " are possible.");
        }
        return names;
    }

    /** From the slash on. */
    private static String path(String surl) {
        if (surl.startsWith("/")) {
            return surl;
        }
        int slash = surl.indexOf('/', SCHEME.length());
        if (!surl.regionMatches(true, 0, SCHEME, 0, SCHEME.length()) || slash <= SCHEME.length()) {
            throw SrmException.path("'" + shown(surl) + "' is no SURL; write srm://HOST/TREE/PATH.");
        }
        int query = surl.indexOf('?');
        if (query < 0) {
            return surl.substring(slash);
        }
        String path = surl.substring(Math.min(surl.length(), query + SFN.length()));
        boolean isSfn =
                query > slash && surl.substring(query).toLowerCase(Locale.ROOT).startsWith(SFN);
        if (!isSfn || !path.startsWith("/")) {
            throw SrmException.path("'" + shown(surl) + "' is no SURL; write srm://HOST/ENDPOINT?SFN=/TREE/PATH.");
        }
        return path;
    }

    private static String name(String part, String surl) {
        String name;
        try {
            name = FileNames.decoded(part);
        } catch (IllegalArgumentException e) {
            throw SrmException.path("The SURL '" + shown(surl) + "' cannot be read: " + e.getMessage() + ".");
        }
        boolean hasEncodedDot = part.toLowerCase(Locale.ROOT).contains("%2e");
        boolean isOdd = name.isEmpty() || name.equals(".") || name.equals("..");
        if (isOdd || hasEncodedDot || name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
            throw SrmException.path("The SURL '" + shown(surl)
                    + "' has an empty name, '.', '..', or an encoded dot, slash or NUL in it, which are not possible.");
        }
        if (FileNames.bytes(name).length > FilePlace.MAX_NAME_BYTES) {
            throw SrmException.path("The SURL has a name of more than " + FilePlace.MAX_NAME_BYTES + " bytes.");
        }
        if (name.startsWith(PUT)) {
            throw SrmException.path("'" + shown(name) + "' is the name of a file that is being put; use its own SURL.");
        }
        return name;
    }

    /** A name as it stands in a path: what would be read as something else, and bytes that are no UTF-8, are percent-encoded. */
    static String text(String name) {
        boolean isPlain = true;
        for (int i = 0; i < name.length() && isPlain; i++) {
            isPlain = isPlain(name.charAt(i));
        }
        if (isPlain) {
            return name;
        }
        StringBuilder out = new StringBuilder(name.length() + 16);
        name.codePoints().forEach(c -> {
            String one = Character.toString(c);
            boolean isKept = c > 0xffff || isPlain((char) c);
            out.append(isKept ? one : FileNames.encoded(one, ""));
        });
        return out.toString();
    }

    private static boolean isPlain(char c) {
        boolean isReserved = c == '%' || c == '?' || c == '#';
        boolean isControl = c < 0x20 || (c >= 0x7f && c < 0xa0);
        boolean isByte = c >= '\uDC80' && c <= '\uDCFF';
        return !isReserved && !isControl && !isByte && c < '\uFFFE';
    }

    /** A path of names, as replies have it. */
    static String path(List<String> names) {
        if (names.isEmpty()) {
            return "/";
        }
        StringBuilder out = new StringBuilder();
        names.forEach(name -> out.append('/').append(text(name)));
        return out.toString();
    }

    /** A SURL as the client wrote it, by which the client finds it in the reply, such as a URI can be. */
    static String echo(String surl) {
        return surl.length() > MAX_LENGTH
                ? shown(surl)
                : LONE_PERCENT.matcher(surl).replaceAll("%25");
    }

    /** What a client wrote, so that it can stand in a sentence. */
    static String shown(String text) {
        String plain = FileNames.shown(text);
        return ShortText.of(plain, SHOWN);
    }
}
