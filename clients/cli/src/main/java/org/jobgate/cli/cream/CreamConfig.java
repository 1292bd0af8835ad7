// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jobgate.cli.text.Sentence;
import org.jspecify.annotations.Nullable;

/**
 * What a site or a user has set for the commands, in ClassAds: {@code /etc/glite_cream.conf}, {@code /etc/VO/glite_cream.conf}, then the
 * first of the file that {@code --conf} names, the one that {@code GLITE_CREAM_CLIENT_CONFIG} names, {@code
 * ~/.glite/VO/glite_cream.conf} and {@code ~/.glite/glite_cream.conf}. Later ones go before earlier ones.
 */
public final class CreamConfig {

    private static final long BYTES_MAX = 1 << 20;
    private static final String NAME = "glite_cream.conf";

    private final Map<String, String> values;

    private CreamConfig(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Reads them.
     *
     * @param named by {@code --conf}; null for none
     * @param vo null for none
     */
    public static CreamConfig read(
            @Nullable String named, @Nullable String vo, Map<String, String> environment, Path etc)
            throws CreamException {
        List<Path> files = new ArrayList<>(List.of(etc.resolve(NAME)));
        Path own = Path.of(environment.getOrDefault("HOME", "/")).resolve(".glite");
        if (vo != null) {
            files.add(etc.resolve(vo).resolve(NAME));
        }
        String variable = environment.get("GLITE_CREAM_CLIENT_CONFIG");
        String chosen = named != null ? named : variable;
        if (chosen != null) {
            if (!Files.isReadable(Path.of(chosen))) {
                throw new CreamException("The configuration file [" + chosen + "] cannot be read. Stop.");
            }
            files.add(Path.of(chosen));
        } else {
            boolean isOfVo = vo != null && Files.isReadable(own.resolve(vo).resolve(NAME));
            files.add(isOfVo ? own.resolve(String.valueOf(vo)).resolve(NAME) : own.resolve(NAME));
        }
        Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Path file : files) {
            if (Files.isReadable(file)) {
                values.putAll(JdlText.parse(text(file)).attributes());
            }
        }
        return new CreamConfig(values);
    }

    /** What there is where nobody has set anything. */
    public static CreamConfig usual() {
        return new CreamConfig(Map.of());
    }

    private static String text(Path file) throws CreamException {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new CreamException("The configuration file [" + file + "] is larger than 1 MiB. Stop.");
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw new CreamException("The configuration file [" + file + "] cannot be read: " + Sentence.reason(e), e);
        }
    }

    private String value(String name, String otherwise) {
        String raw = values.get(name);
        List<String> texts = raw == null ? List.of() : JdlText.texts(raw);
        return raw == null ? otherwise : texts.size() == 1 ? texts.getFirst() : raw;
    }

    /** The path of CREAM2. */
    public String service() {
        return value("CREAM_URL_POSTFIX", "ce-cream/services/CREAM2").replaceFirst("^/+", "");
    }

    /** The path of the delegation. */
    public String delegation() {
        return value("CREAMDELEGATION_URL_POSTFIX", "ce-cream/services/gridsite-delegation")
                .replaceFirst("^/+", "");
    }

    /** The port where an address names none. */
    public int port() throws CreamException {
        String text = value("DEFAULT_CREAM_TCPPORT", "8443");
        if (!text.matches("[0-9]{1,5}")) {
            throw new CreamException("DEFAULT_CREAM_TCPPORT is not a port: [" + text + "]. Stop.");
        }
        return Integer.parseInt(text);
    }

    /** How much glite-ce-job-status shows. */
    public String level() {
        return value("STATUS_VERBOSITY_LEVEL", "0");
    }

    /** Attributes for every JDL that does not have them, as they are written. */
    public Map<String, String> jdlAttributes() throws CreamException {
        String raw = values.get("JDL_DEFAULT_ATTRIBUTES");
        return raw == null ? Map.of() : JdlText.parse(raw).attributes();
    }
}
