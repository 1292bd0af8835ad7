// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.adl.ActivityDraft;
import org.jobgate.adl.ActivityFaults;

/** Reads the attributes that are about files. */
final class XrslFiles {

    private static final int MOST_TEXTS = 64;
    /** What a client says of a file that it will bring: {@code size.checksum}. */
    private static final Pattern SIZE = Pattern.compile("(\\d{1,18})(\\.\\S*)?");

    private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*", Pattern.DOTALL);

    private final ActivityDraft draft;
    private final XrslValues values;
    private final XrslDialect dialect;
    private final List<String> programs = new ArrayList<>();

    XrslFiles(ActivityDraft draft, XrslValues values, XrslDialect dialect) {
        this.draft = draft;
        this.values = values;
        this.dialect = dialect;
    }

    /** Whether the attribute was one of these. */
    boolean read(Rsl.Relation relation) {
        switch (relation.name()) {
            case "inputfiles" ->
                values.sequences(relation, 1, MOST_TEXTS).forEach(file -> input(relation.name(), file));
            case "outputfiles" ->
                values.sequences(relation, 1, MOST_TEXTS).forEach(file -> output(relation.name(), file));
            case "executables" -> programs.addAll(values.list(relation));
            case "ftpthreads" -> draft.files().option("parallelStreams", Long.toString(values.number(relation, 1, 10)));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void input(String part, List<String> file) {
        String name = draft.text(part, file.getFirst());
        String source = file.size() < 2 ? "" : draft.text(part, file.get(1));
        options(part, file);
        if (URL.matcher(source).matches()) {
            draft.files().fetch(part, name, source);
            return;
        }
        Matcher size = SIZE.matcher(source);
        boolean saysSize = dialect == XrslDialect.SERVER && size.matches();
        if (!source.isEmpty() && !saysSize && dialect == XrslDialect.SERVER) {
            throw ActivityFaults.XRSL.invalid(
                    part, source, "the source of a file must be a URL, or empty where the client brings the file");
        }
        draft.files().upload(part, name, saysSize ? Long.valueOf(size.group(1)) : null);
    }

    private void output(String part, List<String> file) {
        String name = draft.text(part, file.getFirst());
        String target = file.size() < 2 ? "" : draft.text(part, file.get(1));
        options(part, file);
        if (target.isEmpty()) {
            draft.files().keep(part, name);
        } else {
            draft.files().send(part, name, target);
        }
    }

    private void options(String part, List<String> file) {
        for (String option : file.subList(Math.min(2, file.size()), file.size())) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            if (name.equals("delegationid")) {
                draft.delegation(part, option.substring(equals + 1));
            } else {
                draft.note(part + ": the option " + ActivityFaults.shown(name) + " of a file has no effect here.");
            }
        }
    }

    /** What users imply: a program or an input without a path is a file that they bring. */
    void finish() {
        if (dialect == XrslDialect.USER) {
            draft.executable().filter(this::isImplied).ifPresent(name -> {
                draft.files().upload("executable", name, null);
                programs.add(name);
            });
            draft.stdin()
                    .filter(this::isImplied)
                    .ifPresent(name -> draft.files().upload("stdin", name, null));
        }
        draft.executable()
                .filter(name -> draft.files().isInput(name) && !programs.contains(name))
                .ifPresent(programs::add);
        programs.forEach(name -> draft.files().program("executables", name));
    }

    private boolean isImplied(String name) {
        return !name.startsWith("/") && !draft.files().isInput(name);
    }
}
