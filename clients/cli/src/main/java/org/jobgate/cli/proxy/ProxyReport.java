// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.proxy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Proxies in words. */
final class ProxyReport {
    private ProxyReport() {}

    /** One thing to print alone, for scripts. */
    enum Field {
        SUBJECT,
        ISSUER,
        IDENTITY,
        TYPE,
        STRENGTH,
        PATH,
        TIMELEFT,
        VO,
        FQAN
    }

    static List<String> all(ProxyDescription proxy, Instant now) {
        List<String> lines = new ArrayList<>();
        lines.add("subject  : " + proxy.subject());
        lines.add("issuer   : " + proxy.issuer());
        lines.add("identity : " + proxy.identity());
        lines.add("type     : " + proxy.type());
        lines.add("strength : " + proxy.strength());
        lines.add("path     : " + proxy.path());
        lines.add("timeleft : " + clock(proxy.left(now)) + (proxy.left(now).isZero() ? " (expired)" : ""));
        for (VomsExtension voms : proxy.voms()) {
            lines.add("VO       : " + voms.vo() + " (said by " + voms.server() + ", not checked here)");
            voms.fqans().forEach(fqan -> lines.add("attribute: " + fqan));
            Duration left = Duration.between(now, voms.end());
            lines.add("timeleft : " + clock(left.isNegative() ? Duration.ZERO : left));
        }
        return lines;
    }

    static List<String> one(ProxyDescription proxy, Field field, Instant now) {
        return switch (field) {
            case SUBJECT -> List.of(proxy.subject());
            case ISSUER -> List.of(proxy.issuer());
            case IDENTITY -> List.of(proxy.identity());
            case TYPE -> List.of(proxy.type());
            case STRENGTH -> List.of(Integer.toString(proxy.bits()));
            case PATH -> List.of(proxy.path().toString());
            case TIMELEFT -> List.of(Long.toString(proxy.left(now).toSeconds()));
            case VO -> proxy.voms().stream().map(VomsExtension::vo).distinct().toList();
            case FQAN ->
                proxy.voms().stream().flatMap(voms -> voms.fqans().stream()).toList();
        };
    }

    /** Hours, which may be many, minutes, seconds. */
    static String clock(Duration time) {
        return String.format(Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
    }
}
