// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.LrmConfig;
import org.jobgate.job.NearestName;

/**
 * Whether the adapters that a configuration names are there. A worker would find it out only when the first job comes, and the job would
 * wait for an adapter that never will be.
 */
public final class Adapters {

    /** The adapter that is no Perl module. */
    static final String GATEWAY = "gateway";

    /** Modules beside the adapters that are none themselves. */
    private static final List<String> PARTS = List.of("batch", "legacy");

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]{0,31}");
    private static final Pattern MODULE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

    /** Ends with 1 where none of Perl's directories has the file; whatever else is wrong with Perl is told elsewhere. */
    private static final String SEARCH = "my $file = shift; -f \"$_/$file\" and exit 0 for grep { !ref } @INC; exit 1";

    private final Path library;

    /** @param home where Jobgate is installed */
    public Adapters(Path home) {
        this.library = requireNonNull(home, "home is null").resolve("perl/lib");
    }

    /**
     * Refuses adapters that are not there.
     *
     * @throws ConfigurationException that names each, and the nearest that is there
     */
    public void refuseUnknown(List<LrmConfig> lrms) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < lrms.size(); i++) {
            String setting = "lrms[" + i + "].adapter = " + lrms.get(i).adapter();
            problem(lrms.get(i)).ifPresent(problem -> problems.add(setting + ": " + problem));
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
    }

    /** What is wrong with the adapter that this LRM names, if anything. */
    Optional<String> problem(LrmConfig lrm) {
        if (lrm.legacy()) {
            return site(lrm);
        }
        String adapter = lrm.adapter();
        if (adapter.equals(GATEWAY)) {
            return Optional.empty();
        }
        NavigableSet<String> known = known();
        boolean isThere = NAME.matcher(adapter).matches()
                && !PARTS.contains(adapter)
                && (known.contains(adapter) || isInPerl(lrm.perl(), "Jobgate/Adapter/" + capital(adapter) + ".pm", ""));
        if (isThere) {
            return Optional.empty();
        }
        String nearest = NearestName.to(adapter, known)
                .map(name -> "; did you mean " + name + "?")
                .orElse(";");
        return Optional.of(
                "there is no such adapter" + nearest + " There are " + String.join(", ", known)
                        + ". One that the site has written is a module of Perl below Jobgate/Adapter; a module for GRAM needs legacy: true");
    }

    private Optional<String> site(LrmConfig lrm) {
        String file = "Globus/GRAM/JobManager/" + lrm.adapter() + ".pm";
        String places = lrm.optionsByName().getOrDefault("modules", "");
        if (MODULE.matcher(lrm.adapter()).matches() && isInPerl(lrm.perl(), file, places)) {
            return Optional.empty();
        }
        return Optional.of("there is no module " + file + (places.isEmpty() ? "" : " in " + places + ", and none")
                + " among Perl's own; say where it is by options: [\"modules=DIRECTORY\"]");
    }

    private boolean isInPerl(Path perl, String file, String places) {
        List<String> command = new ArrayList<>(List.of(perl.toString(), "-I", library.toString()));
        Stream.of(places.split(":", -1)).filter(place -> !place.isEmpty()).forEach(place -> {
            command.add("-I");
            command.add(place);
        });
        command.addAll(List.of("-e", SEARCH, file));
        return Programs.run(command).status() != 1;
    }

    /** Those of the installation, by the names that a configuration has for them. */
    private NavigableSet<String> known() {
        NavigableSet<String> known = new TreeSet<>(List.of(GATEWAY));
        try (Stream<Path> files = Files.list(library.resolve("Jobgate/Adapter"))) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".pm"))
                    .map(name ->
                            name.substring(0, name.length() - ".pm".length()).toLowerCase(Locale.ROOT))
                    .filter(name -> !PARTS.contains(name))
                    .forEach(known::add);
        } catch (IOException e) {
            throw new ConfigurationException(
                    List.of(library + ": the adapters cannot be read there; is the installation complete?"));
        }
        return known;
    }

    private static String capital(String name) {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }
}
