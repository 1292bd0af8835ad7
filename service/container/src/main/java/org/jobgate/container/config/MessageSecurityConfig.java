// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Messages that are protected themselves. */
@Section(
        "SOAP messages that are signed, encrypted or name their sender themselves (WS-Security), beside their transport.")
public record MessageSecurityConfig(
        @Setting(
                description =
                        "What holds for services that `services` does not name: `off` looks at nothing but the transport, `accept` opens"
                                + " protected messages and takes others by their transport, `require` refuses what is not protected.",
                byDefault = "off")
        Mode mode,

        @Setting(
                description =
                        "What holds for single services, each as `Service=mode`, e.g. `DelegationService=require`. They are called as in"
                                + " their addresses.",
                byDefault = "")
        List<String> services,

        @Setting(
                description =
                        "File of those who may come with a name and a password, a line for each: name, password (its hash, bcrypt or Argon2id;"
                                + " `$pam$ACCOUNT` for that of a local account; or as it is) and subject, with tabs between. Readable by the service's"
                                + " account only. If not given, nobody may.")
        @Nullable
        Path passwordFile,

        @Setting(
                description =
                        "The service of PAM (a file in `/etc/pam.d`) by which passwords of local accounts are checked, for lines of `passwordFile`"
                                + " with `$pam$`. Needs Perl's module Authen::PAM. If not given, there must be no such lines.")
        @Nullable
        String pamService,

        @Setting(
                description =
                        "Whether signatures with SHA-1 are taken. The clients of GT4 make no other; SHA-1 can be forged by who has the"
                                + " means.",
                byDefault = "false")
        boolean sha1,

        @Setting(
                description =
                        "Of `BESFactory` and `BESManagement`, those that take signed messages without WS-Addressing's `To` over any connection. Without"
                                + " this they take them over connections of the signer's own. Such a message does not say for whom it is: a receiver of one"
                                + " can send it on to here while it lives (`maxAge`).",
                byDefault = "")
        List<String> unaddressed,

        @Setting(
                description =
                        "What clients call this gateway beside `server.publicName`, the names in its certificate and the addresses of its"
                                + " interfaces, each `HOST` for any port or `HOST:PORT`: the names of relays and of a router before it. A signed message"
                                + " whose `To` names none of these is refused: it is for another gateway.",
                byDefault = "")
        List<String> names,

        @Setting(
                description = "The longest life of a message, from its `Created` to its `Expires` and its arrival.",
                byDefault = "5m",
                min = "10s",
                max = "1h")
        Duration maxAge,

        @Setting(
                description = "So far a client's clock may be ahead of ours.",
                byDefault = "1m",
                min = "0s",
                max = "10m")
        Duration skew,

        @Setting(
                description = "Characters of a token as it stands in a message: a chain of certificates in base64.",
                byDefault = "32768",
                min = "1024",
                max = "1048576",
                tier = Tier.RARE)
        long maxTokenCharacters,

        @Setting(
                description =
                        "Messages that are remembered against replays, each for as long as it lives. More are refused.",
                byDefault = "200000",
                min = "100",
                max = "10000000",
                tier = Tier.RARE)
        long maxRemembered,

        @Setting(
                description =
                        "Services at which clients may open security contexts and send further messages with keys of those"
                                + " (WS-SecureConversation), by their names, or `all`. Their messages must be looked at, by `mode` or"
                                + " `services`; a context that one of them has opened holds at all of them.",
                byDefault = "")
        List<String> conversations,

        @Setting(
                description =
                        "The longest life of a security context, from its opening or renewal. It ends with the certificates that opened"
                                + " it if they end sooner, and with the service's process.",
                byDefault = "1h",
                min = "1m",
                max = "1d")
        Duration contextLifetime,

        @Setting(
                description = "Security contexts at a time. More are refused.",
                byDefault = "20000",
                min = "1",
                max = "1000000",
                tier = Tier.RARE)
        long maxContexts,

        @Setting(
                description = "Security contexts of one subject at a time. More are refused.",
                byDefault = "200",
                min = "1",
                max = "1000000",
                tier = Tier.RARE)
        long maxContextsOfOne) {

    /** Whether the messages of a service are protected. */
    public enum Mode {
        OFF,
        ACCEPT,
        REQUIRE
    }

    public MessageSecurityConfig {
        if (pamService != null && !pamService.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")) {
            throw new IllegalArgumentException(
                    "pamService must be the name of a file in /etc/pam.d, without the directory: " + pamService);
        }
        for (String service : services) {
            if (!service.matches("[A-Za-z-]{1,64}=(off|accept|require)")) {
                throw new IllegalArgumentException(
                        "services must each be the name of a service, '=', and off, accept or require: " + service);
            }
        }
        services = List.copyOf(services);
        if (!Set.of("BESFactory", "BESManagement").containsAll(unaddressed)) {
            throw new IllegalArgumentException(
                    "unaddressed may name BESFactory and BESManagement only: " + unaddressed);
        }
        unaddressed = List.copyOf(unaddressed);
        for (String name : names) {
            if (!name.matches("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(:[0-9]{1,5})?")) {
                throw new IllegalArgumentException("names must each be a host, or a host and a port: " + name);
            }
        }
        names = List.copyOf(names);
        for (String service : conversations) {
            if (!service.matches("[A-Za-z-]{1,64}")) {
                throw new IllegalArgumentException(
                        "conversations must each be the name of a service, or all: " + service);
            }
        }
        conversations = List.copyOf(conversations);
    }

    /** The modes of single services, by their names; of one that is named twice the last counts. */
    public Map<String, Mode> byService() {
        Function<String[], Mode> mode = parts -> Mode.valueOf(parts[1].toUpperCase(Locale.ROOT));
        return services.stream()
                .map(service -> service.split("=", 2))
                .collect(Collectors.toUnmodifiableMap(parts -> parts[0], mode, (first, second) -> second));
    }

    /** Whether any service has its messages looked at. */
    public boolean isUsed() {
        return mode != Mode.OFF || byService().values().stream().anyMatch(other -> other != Mode.OFF);
    }
}
