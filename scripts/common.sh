# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What quickstart, check and install share. Sourced, not run; the caller has set `root` to the checkout.

say() { printf '%s\n' "$*" >&2; }
die() { say "$0: $*"; exit 1; }

# The newest JDK of at least 21: JAVA_HOME if it is one, else the best under /usr/lib/jvm.
# In a subshell: a function of sh has no variables of its own.
find_jdk() (
    best='' best_version=0
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
        [ -x "$home/bin/javac" ] && [ -r "$home/release" ] || continue
        version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
        case $version in '' | *[!0-9]*) continue ;; esac
        [ "$version" -ge 21 ] && [ "$version" -gt "$best_version" ] && best=$home best_version=$version
    done
    [ -n "$best" ] || die "no JDK of at least version 21 found (JAVA_HOME, /usr/lib/jvm). On Debian: a temurin-25-jdk or openjdk-21-jdk package."
    printf '%s\n' "$best"
)

# Installs the Debian packages that are missing, if we may.
need_packages() (
    missing=''
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        say "not root, so not installed:$missing (tests or steps that need them say so and are left out)"
        return 0
    fi
    say "installing:$missing"
    export DEBIAN_FRONTEND=noninteractive
    # no package starts its daemon: what a test needs it starts itself, on a port of its own
    policy=/usr/sbin/policy-rc.d
    ours='# only there while packages for tests are installed; if nothing installs any now, remove it'
    # also one that a run of ours has left which was killed at once
    if [ ! -e "$policy" ] || grep -qxF "$ours" "$policy"; then
        # dash runs what is to be done at the end not where a signal ends it
        trap 'exit 130' HUP INT TERM
        trap 'rm -f "$policy"' EXIT
        printf '#!/bin/sh\n%s\nexit 101\n' "$ours" >"$policy"
        chmod 755 "$policy"
    fi
    # not a fixed name in /tmp, where anybody may have put a link
    log=$(mktemp)
    # shellcheck disable=SC2086 # a list of package names
    apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends $missing >"$log" 2>&1 ||
        { apt-get -q update >>"$log" 2>&1 &&
            apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends $missing >>"$log" 2>&1; } ||
        { tail -n 20 "$log" >&2; die "could not install:$missing; all that apt-get said is in $log"; }
    rm -f "$log"
)

# Builds what runs, unless the sources have not changed since the last time.
build() (
    stamp=$root/target/built
    if [ -f "$stamp" ] && [ -d "$root/service/container/target/jobgate/lib" ] &&
        [ -z "$(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/*/pom.xml "$root"/*/src "$root"/*/*/src -newer "$stamp" -type f 2>/dev/null | head -n 1)" ]; then
        return 0
    fi
    say "building (the first time takes some minutes: Maven fetches what it needs) ..."
    mkdir -p "$root/target"
    log=$root/target/build.log
    rm -f "$stamp"
    (cd "$root" && mvn -B -DskipTests -Djacoco.skip=true package && touch "$stamp") 2>&1 | build_progress "$log" >&2
    [ -f "$stamp" ] || { grep '^\[ERROR\]' "$log" | head -n 20 >&2; die "the build failed; all that Maven said is in $log"; }
)

# Reads what Maven says, keeps it in a file, and prints a line for each module, or every 30 seconds if no module ends.
build_progress() {
    perl -e '
        $| = 1;
        open my $log, ">", $ARGV[0] or die "$ARGV[0]: $!\n";
        my ($fetched, $begun, $at) = (0, time, "Maven starts");
        sub told { printf "  %s (%d s, %d files fetched)\n", $_[0], time - $begun, $fetched; alarm 30; }
        $SIG{ALRM} = sub { told("still at it: $at") };
        alarm 30;
        while (my $line = <STDIN>) {
            print {$log} $line;
            $fetched++ if $line =~ /^(?:\[INFO\] )?Downloaded from /;
            told($at = "$2 $1") if $line =~ /^\[INFO\] Building (.+?)\s+\S+\s+(\[\d+\/\d+\])$/;
        }' "$1"
}
