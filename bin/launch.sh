# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
#
# Read by the launchers beside it (. launch.sh) with $bin set. Starts no process: every fork costs a millisecond.
# Sets prefix, cli (folder of the command line's jars), server (of the server's), home, java, java_version, java_major.

die() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    exit 254
}

# the version of the JDK in folder $1, from its release file: java_version, java_major (0 for none)
read_version() {
    java_version= java_major=0
    [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 0
    while IFS='=' read -r name value; do
        if [ "$name" = JAVA_VERSION ]; then
            value=${value#\"}
            java_version=${value%\"}
            java_major=${java_version%%[!0-9]*}
        fi
    done < "$1/release"
    java_major=${java_major:-0}
}

find_java() {
    if [ -n "${JAVA_HOME:-}" ]; then
        read_version "$JAVA_HOME"
        if [ "$java_major" -ge 21 ]; then
            java=$JAVA_HOME/bin/java
            return 0
        fi
    fi
    best= best_major=20
    for candidate in /usr/lib/jvm/* /opt/java/*; do
        [ -L "$candidate" ] && continue
        read_version "$candidate"
        if [ "$java_major" -gt "$best_major" ]; then
            best=$candidate best_major=$java_major
        fi
    done
    [ -n "$best" ] || die "a Java of version 21 or later is needed; JAVA_HOME (${JAVA_HOME:-not set}) and /usr/lib/jvm have none.
On Debian: apt-get install openjdk-21-jre-headless (or temurin-25-jdk), or set JAVA_HOME."
    read_version "$best"
    java=$best/bin/java
}

find_parts() {
    prefix=${bin%/bin}
    if [ -f "$prefix/lib/cli/jobgate-cli.jar" ]; then
        cli=$prefix/lib/cli server=$prefix/lib/server home=$prefix cache=$prefix/lib/cache
    elif [ -f "$prefix/clients/cli/target/jobgate-cli/lib/jobgate-cli.jar" ]; then
        cli=$prefix/clients/cli/target/jobgate-cli/lib
        home=$prefix/service/container/target/jobgate server=$home/lib cache=$prefix/clients/cli/target/jobgate-cli/cache
    else
        die "not built: neither $prefix/lib/cli nor $prefix/clients/cli/target/jobgate-cli/lib has jobgate-cli.jar. Run ./quickstart, or: mvn -B package"
    fi
    cache=${JOBGATE_CACHE:-$cache}
}

find_parts
find_java

# the JVM as globusrun-ws wants it: small, quick to start, silent on stdout. The cache serves only exactly these.
fast_flags="-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xlog:disable -Djdk.console=java.base --enable-native-access=ALL-UNNAMED"
if [ "$java_major" -ge 25 ]; then
    fast_cache=$cache/globusrun-ws-$java_version.aot use_cache=-XX:AOTCache=
    # compiling at the start what the rehearsal found hot costs a run of a few calls 50 ms of processor time
    fast_flags="$fast_flags -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:-AOTReplayTraining"
    # the cache at the address it was made for: nothing to move, and most of it is shared with the other processes
    fast_flags="$fast_flags -XX:ArchiveRelocationMode=0"
else
    fast_cache=$cache/globusrun-ws-$java_version.jsa use_cache=-XX:SharedArchiveFile=
fi
fast_jar=$cli/jobgate-cli.jar
# whether the cache is there and younger than the jar and the JVM that it was made with
has_cache() {
    [ "$fast_cache" -nt "$fast_jar" ] && [ "$fast_cache" -nt "${java%/bin/java}/lib/server/libjvm.so" ]
}

# arguments are bytes to the shell and text to the JVM: without a locale it would take UTF-8 for question marks
case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    C | POSIX) LC_ALL=C.UTF-8; export LC_ALL ;;
esac
